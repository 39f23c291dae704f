package outbox.admin;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import outbox.admin.view.DeadGroup;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorStore;

/** Groups the latest dead events by the shape of their errors. */
final class DeadGroups {

    /** Older dead events are not read. */
    static final int EVENTS_MAX = 10_000;

    private static final int PAGE = 1_000;
    private static final int GROUPS_MAX = 200;

    private DeadGroups() {}

    /** The largest first, and among equals the one with the latest death. */
    static List<DeadGroup> of(OperatorStore store) {
        Map<String, Group> groups = new LinkedHashMap<>();
        Map<String, String> shapes = new HashMap<>();
        boolean more = forEachDead(store, event -> {
            String shape = shapes.computeIfAbsent(ErrorShape.alike(event.state().lastError()), ErrorShape::of);
            groups.computeIfAbsent(shape, any -> new Group(event)).add(event);
        });
        return groups.entrySet().stream()
                .map(each -> each.getValue().view(each.getKey(), more))
                .sorted(Comparator.comparingLong(
                                (DeadGroup group) -> group.count().counted())
                        .thenComparing(DeadGroup::last)
                        .reversed())
                .limit(GROUPS_MAX)
                .toList();
    }

    /** Visits the latest dead events, and returns whether there are older ones. */
    static boolean forEachDead(OperatorStore store, Consumer<EventSummary> visitor) {
        EventFilter dead = EventFilter.ALL.withState(State.DEAD);
        String after = null;
        int seen = 0;
        do {
            EventPage page = store.events(new EventQuery(dead, after, PAGE));
            page.events().forEach(visitor);
            seen += page.events().size();
            after = page.next();
        } while (after != null && seen < EVENTS_MAX);
        return after != null;
    }

    static Instant died(EventSummary event) {
        Instant last = event.state().lastAttemptAt();
        return last == null ? event.state().createdAt() : last;
    }

    private static final class Group {

        private final Map<String, Integer> types = new HashMap<>();
        private EventSummary latest;
        private Instant first;
        private long count;

        Group(EventSummary one) {
            this.latest = one;
            this.first = died(one);
        }

        void add(EventSummary event) {
            count++;
            types.merge(event.eventType(), 1, Integer::sum);
            if (died(event).isBefore(first)) {
                first = died(event);
            }
            if (died(event).isAfter(died(latest))) {
                latest = event;
            }
        }

        DeadGroup view(String error, boolean more) {
            List<String> byFrequency = types.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey)
                    .toList();
            return new DeadGroup(
                    error, new BoundedCount(count, more), byFrequency, first, died(latest), latest.eventId());
        }
    }
}
