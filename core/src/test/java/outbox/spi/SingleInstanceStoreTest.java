package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Ordering;
import outbox.internal.FakeConnection;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.util.SettableTime;

final class SingleInstanceStoreTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final ClaimTerms TERMS = new ClaimTerms("token", Duration.ofSeconds(30));

    private final Connection conn = new FakeConnection().connection;
    private final FakeEventStore plain = new FakeEventStore();
    private final SingleInstanceStore store = new SingleInstanceStore(plain, new SettableTime(NOON));

    @Test
    void pollsWhereOthersClaim() {
        plain.pending.add(row("e-1"));
        List<OutboxEvent> claimed =
                store.claim(conn, new ClaimRequest(TERMS, Ordering.NONE, Duration.ofSeconds(1), 200, 1));

        assertThat(claimed).isEqualTo(plain.pending);
        assertThat(plain.calls).containsExactly("poll 2026-03-01T12:00:00Z PT1S 200");
    }

    @Test
    void marksEachSettlementInTurn() {
        int written = store.settle(
                conn,
                List.of(
                        new Settlement.Done(claim("e-1")),
                        new Settlement.Retry(claim("e-2"), Duration.ofMillis(1_500), "timeout"),
                        new Settlement.Dead(claim("e-3"), "refused")));

        assertThat(written).isEqualTo(3);
        assertThat(plain.calls)
                .containsExactly("done e-1", "retry e-2 2026-03-01T12:00:01.500Z timeout", "dead e-3 refused");
        assertThat(plain.connections)
                .hasSize(3)
                .allSatisfy(used -> assertThat(used).isSameAs(conn));
    }

    @Test
    void storesEventsOneByOneAndKnowsNoClaim() {
        EventEnvelope first = event("e-1");
        EventEnvelope second = event("e-2");
        store.insertNew(conn, List.of(first, second), TERMS);
        store.insertNew(conn, first);

        assertThat(plain.calls).containsExactly("insert e-1", "insert e-2", "insert e-1");
    }

    @Test
    void passesOnWhatAPlainStoreKnows() {
        assertThat(store.markDone(conn, "e-1")).isEqualTo(1);
        assertThat(store.markRetry(conn, "e-1", NOON, "timeout")).isEqualTo(1);
        assertThat(store.markDead(conn, "e-1", "refused")).isEqualTo(1);
        assertThat(store.pollPending(conn, NOON, Duration.ZERO, 5)).isEmpty();
        assertThat(plain.calls)
                .containsExactly(
                        "done e-1",
                        "retry e-1 2026-03-01T12:00:00Z timeout",
                        "dead e-1 refused",
                        "poll 2026-03-01T12:00:00Z PT0S 5");
    }

    private static Claim claim(String eventId) {
        return new Claim(eventId, "token");
    }

    private static EventEnvelope event(String eventId) {
        return EventEnvelope.builder("A").eventId(eventId).payloadJson("{}").build();
    }

    private static OutboxEvent row(String eventId) {
        EventState state = new EventState(EventStatus.NEW, 0, NOON, NOON, null, null, null);
        return new OutboxEvent(eventId, "A", null, null, null, null, "{}", null, null, NOON, null, state);
    }
}
