package outbox.spi.operations;

import java.util.List;

/** The events that an operator selects. */
public sealed interface Selection {

    /** Events by their ids. */
    record Ids(List<String> eventIds) implements Selection {

        public static final int MAX = 1_000;

        public Ids {
            eventIds = eventIds.stream().distinct().toList();
            if (eventIds.isEmpty() || eventIds.size() > MAX) {
                throw new IllegalArgumentException(
                        "a selection has 1 to " + MAX + " event ids, had " + eventIds.size());
            }
        }

        @Override
        public String toString() {
            return eventIds.size() == 1 ? eventIds.get(0) : eventIds.size() + " events";
        }
    }

    /** All events that match a filter. */
    record Matching(EventFilter filter) implements Selection {}
}
