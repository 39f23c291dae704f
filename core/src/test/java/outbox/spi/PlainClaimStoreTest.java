package outbox.spi;

import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.internal.FakeConnection;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.util.SettableTime;

/** The dispatcher's stores over a plain {@link EventStore}, as one instance uses them. */
final class PlainClaimStoreTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final ClaimTerms TERMS = new ClaimTerms("token", Duration.ofSeconds(30));
    private static final Claim CLAIM = new Claim("e-1", "token");

    private final FakeConnection fake = new FakeConnection();
    private final FakeEventStore plain = new FakeEventStore();
    private final SettableTime time = new SettableTime(NOON);
    private final PlainClaimStore store = new PlainClaimStore(() -> fake.connection, plain, time);

    @Test
    void knowsAsManyConnectionsAsItsProvider() {
        ConnectionProvider ofSeven = new ConnectionProvider() {
            @Override
            public Connection getConnection() {
                return fake.connection;
            }

            @Override
            public OptionalInt connectionsMax() {
                return OptionalInt.of(7);
            }
        };

        assertThat(store.connectionsMax()).isEmpty();
        assertThat(new PlainClaimStore(ofSeven, plain).connectionsMax()).hasValue(7);
    }

    @Test
    void opensAndGivesTheConnectionBack() {
        assertThatCode(() -> store.open()).doesNotThrowAnyException();
        assertThat(fake.closed).isTrue();
    }

    @Test
    void tellsTheTimeOfThisMachine() {
        assertThat(store.now()).isEqualTo(NOON);
    }

    @Test
    void commitsWhatWasSettled() {
        fake.isolation = TRANSACTION_SERIALIZABLE;

        assertThat(settle(new Settlement.Done(CLAIM))).containsExactly(SettleResult.Item.WRITTEN);
        assertThat(plain.calls).containsExactly("done e-1");
        assertThat(plain.connections).singleElement().isSameAs(fake.connection);
        assertThat(fake.calls)
                .containsSubsequence("setAutoCommit false", "commit", "close")
                .doesNotContain("rollback");
        assertThat(fake.autoCommit).isTrue();
        assertThat(fake.isolation).isEqualTo(TRANSACTION_SERIALIZABLE);
    }

    @Test
    void rollsBackWhatCouldNotBeSettled() {
        plain.failure = new OutboxException("deadlock");

        assertThatThrownBy(() -> settle(new Settlement.Done(CLAIM))).isSameAs(plain.failure);
        assertThat(fake.calls).containsSubsequence("rollback", "close").doesNotContain("commit");
        assertThat(fake.autoCommit).isTrue();
        assertThat(store.isSettledSince("e-1", time.nanoTime())).isFalse();
    }

    @Test
    void translatesTheFailureOfADatabaseInEveryCall() {
        PlainClaimStore unreachable = new PlainClaimStore(
                () -> {
                    throw new SQLException("connection refused");
                },
                plain);
        ClaimRequest request = new ClaimRequest(TERMS, Duration.ZERO, 1, 1);

        assertThatThrownBy(() -> unreachable.open()).isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> unreachable.claim(request)).isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> unreachable.settle(request())).isInstanceOf(OutboxException.class);
    }

    @Test
    void countsEveryClaimAsHeldAndAsksNoDatabase() {
        assertThat(store.claimOne("e-1", TERMS)).isTrue();
        assertThat(store.renew(Set.of(CLAIM), TERMS.lease())).containsExactly(CLAIM);
        assertThat(store.release(Set.of(CLAIM))).isEqualTo(1);
        assertThat(store.claim(ClaimRequest.oneSuspect(TERMS))).isEmpty();
        assertThat(fake.calls).isEmpty();
    }

    @Test
    void pollsWhereOthersClaim() {
        plain.pending.add(row("e-1"));
        List<OutboxEvent> claimed = store.claim(new ClaimRequest(TERMS, Duration.ofSeconds(1), 200, 1));

        assertThat(claimed).isEqualTo(plain.pending);
        assertThat(plain.calls).containsExactly("poll 2026-03-01T12:00:00Z PT1S 200");
    }

    @Test
    void marksEachSettlementInTurn() {
        assertThat(settle(
                        new Settlement.Done(claim("e-1")),
                        new Settlement.Retry(claim("e-2"), Duration.ofMillis(1_500), "timeout"),
                        new Settlement.Postponed(claim("e-4"), Duration.ofMillis(1_500), "down"),
                        new Settlement.Dead(claim("e-3"), "refused")))
                .containsOnly(SettleResult.Item.WRITTEN)
                .hasSize(4);
        assertThat(plain.calls)
                .containsExactly("done e-1", "retry e-2 2026-03-01T12:00:01.500Z timeout", "dead e-3 refused");
        assertThat(plain.connections)
                .hasSize(3)
                .allSatisfy(used -> assertThat(used).isSameAs(fake.connection));
    }

    @Test
    void knowsWhatWasSettledSinceAPollBegan() {
        long before = time.nanoTime();
        settle(new Settlement.Done(CLAIM));

        assertThat(store.isSettledSince("e-1", before)).isTrue();
        assertThat(store.isSettledSince("e-2", before)).isFalse();
        assertThat(store.isSettledSince("e-1", time.nanoTime() + 1)).isFalse();
    }

    @Test
    void forgetsTheOldestOfTooManyThatWereSettled() {
        long before = time.nanoTime();
        settle(new Settlement.Done(CLAIM));
        for (int n = 2; n <= 10_001; n++) {
            settle(new Settlement.Done(claim("e-" + n)));
        }

        assertThat(store.isSettledSince("e-1", before)).isFalse();
        assertThat(store.isSettledSince("e-2", before)).isTrue();
    }

    private List<SettleResult.Item> settle(Settlement... settlements) {
        return ((SettleResult.Settled) store.settle(request(settlements))).items();
    }

    private static SettleRequest request(Settlement... settlements) {
        List<SettleItem> items = Arrays.stream(settlements)
                .map(settlement -> new SettleItem(settlement, 0, "listeners"))
                .toList();
        return new SettleRequest(new Fence.Tokens(), "node", items, DoneRows.KEEP);
    }

    private static Claim claim(String eventId) {
        return new Claim(eventId, "token");
    }

    private static OutboxEvent row(String eventId) {
        EventState state = new EventState(EventStatus.NEW, 0, NOON, NOON, null, null, null);
        return new OutboxEvent(eventId, "A", null, null, null, null, "{}", null, null, NOON, null, state);
    }
}
