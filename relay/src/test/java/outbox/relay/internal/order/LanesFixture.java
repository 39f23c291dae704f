package outbox.relay.internal.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import outbox.relay.Rows;
import outbox.relay.route.Route;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LanePage;

/** Lanes with two routes, by the type of an event; an event of any other type has none. */
abstract class LanesFixture {

    static final Route ROUTE = Route.to("there");
    static final Route OTHER = new Route("other", "elsewhere", 1);
    static final Lanes.CallLimit PLENTY = new Lanes.CallLimit(1_000, 1_000, 1_000, 1 << 30);
    static final Lanes.CallLimit ONE_EACH = new Lanes.CallLimit(1_000, 1, 1_000, 1 << 30);

    // Close to the overflow of the monotonic clock, which must not matter.
    static final long NOW = Math.subtractExact(Long.MAX_VALUE, 5);

    Lanes lanes = lanes(new LaneLimits(100, 1 << 20, 100, 100));

    static Lanes lanes(LaneLimits limits) {
        return new Lanes(
                limits,
                event -> switch (event.eventType()) {
                    case "thing" -> List.of(ROUTE);
                    case "other" -> List.of(OTHER);
                    default -> List.of();
                },
                List.of(ROUTE, OTHER));
    }

    int scan(FetchedEvent... events) {
        return lanes.accept(List.of(events), NOW);
    }

    /** The first events of a key, by number. */
    static FetchedEvent[] rows(int count, String key) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(seq -> Rows.row(seq, key))
                .toArray(FetchedEvent[]::new);
    }

    static FetchedEvent row(long seq, String key) {
        return Rows.row(seq, key);
    }

    static FetchedEvent other(long seq, String key) {
        return Rows.row(seq, key, "other", 2);
    }

    static FetchedEvent waiting(long seq, String key, Duration untilDue) {
        return Rows.waiting(seq, key, untilDue);
    }

    static int lane(String key) {
        return Rows.lane(key);
    }

    List<LaneEvent> take() {
        return lanes.take(ROUTE, PLENTY);
    }

    LaneEvent takeOne() {
        List<LaneEvent> taken = lanes.take(ROUTE, ONE_EACH);
        assertThat(taken).hasSize(1);
        return taken.get(0);
    }

    static List<Long> seqs(List<LaneEvent> events) {
        return events.stream().map(LaneEvent::seq).toList();
    }

    void done(LaneEvent event) {
        lanes.finished(event);
        lanes.settled(event);
    }

    void doneAll(List<LaneEvent> events) {
        events.forEach(lanes::finished);
        events.forEach(lanes::settled);
    }

    void failed(LaneEvent event, long dueNanos) {
        lanes.failed(event);
        lanes.settledFailure(event, dueNanos);
    }

    /** Fetches the lanes that are to be fetched, from a table that has these rows. */
    List<Integer> lookUp(FetchedEvent... table) {
        List<Integer> ids = new ArrayList<>(lanes.takeLanesToFetch(100));
        for (int id : ids) {
            lanes.acceptLane(content(id, table), NOW);
        }
        return ids;
    }

    static LanePage content(int id, FetchedEvent... table) {
        return new LanePage(
                id, List.of(table).stream().filter(row -> row.keyHash() == id).toList(), true);
    }
}
