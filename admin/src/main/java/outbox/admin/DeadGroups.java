package outbox.admin;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import outbox.admin.view.DeadGroup;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorStore;

/** The latest dead events by the shape of their errors. */
final class DeadGroups {

    /** Of older ones the groups do not tell. */
    static final int EVENTS_MAX = 10_000;

    private static final int PAGE = 1_000;
    private static final int GROUPS_MAX = 200;

    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, String> shapes = new HashMap<>();
    private boolean more;

    private DeadGroups() {}

    /** The largest first, and among equals the one with the latest death. */
    static List<DeadGroup> of(OperatorStore store) {
        DeadGroups all = new DeadGroups();
        all.read(store);
        return all.groups.entrySet().stream()
                .map(each -> each.getValue().view(each.getKey(), all.more))
                .sorted(Comparator.comparingLong(
                                (DeadGroup group) -> group.count().counted())
                        .thenComparing(DeadGroup::last)
                        .reversed())
                .limit(GROUPS_MAX)
                .toList();
    }

    private void read(OperatorStore store) {
        String after = null;
        int seen = 0;
        do {
            EventPage page = store.events(new EventQuery(EventFilter.ALL.withState(State.DEAD), after, PAGE));
            for (EventSummary event : page.events()) {
                String shape =
                        shapes.computeIfAbsent(ErrorShape.alike(event.state().lastError()), ErrorShape::of);
                groups.computeIfAbsent(shape, any -> new Group(event)).add(event);
            }
            seen += page.events().size();
            after = page.next();
        } while (after != null && seen < EVENTS_MAX);
        more = after != null;
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
            List<Map.Entry<String, Integer>> byFrequency = new ArrayList<>(types.entrySet());
            byFrequency.sort(
                    Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()));
            return new DeadGroup(
                    error,
                    new BoundedCount(count, more),
                    byFrequency.stream().map(Map.Entry::getKey).toList(),
                    first,
                    died(latest),
                    latest.eventId());
        }
    }
}
