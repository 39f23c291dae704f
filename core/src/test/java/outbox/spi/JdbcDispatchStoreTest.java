package outbox.spi;

import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.Ordering;
import outbox.OutboxException;
import outbox.UnsupportedOrderingException;
import outbox.internal.FakeConnection;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;

/** The dispatcher's store over a plain {@link EventStore}, as one instance uses it. */
final class JdbcDispatchStoreTest {

    private static final ClaimTerms TERMS = new ClaimTerms("token", Duration.ofSeconds(30));
    private static final Claim CLAIM = new Claim("e-1", "token");

    private final FakeConnection fake = new FakeConnection();
    private final FakeEventStore plain = new FakeEventStore();
    private final JdbcDispatchStore store = new JdbcDispatchStore(() -> fake.connection, plain);

    @Test
    void saysThatAPlainStoreCannotClaim() {
        assertThat(store.capabilities()).isEqualTo(new StoreCapabilities(false));
    }

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
        assertThat(new JdbcDispatchStore(ofSeven, plain).connectionsMax()).hasValue(7);
    }

    @Test
    void refusesOrderOverAPlainStore() {
        assertThatThrownBy(() -> store.open(Ordering.KEY))
                .isInstanceOf(UnsupportedOrderingException.class)
                .hasMessageContainingAll(
                        "ordering=key", FakeEventStore.class.getName(), "ClaimingEventStore", "ordering=none");
        assertThat(fake.closed).isTrue();
    }

    @Test
    void opensAPlainStoreWithoutOrder() {
        assertThatCode(() -> store.open(Ordering.NONE)).doesNotThrowAnyException();
    }

    @Test
    void commitsWhatWasSettled() {
        fake.isolation = TRANSACTION_SERIALIZABLE;

        assertThat(store.settle(List.of(new Settlement.Done(CLAIM)))).isEqualTo(1);
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

        assertThatThrownBy(() -> store.settle(List.of(new Settlement.Done(CLAIM))))
                .isSameAs(plain.failure);
        assertThat(fake.calls).containsSubsequence("rollback", "close").doesNotContain("commit");
        assertThat(fake.autoCommit).isTrue();
    }

    @Test
    void translatesTheFailureOfADatabaseInEveryCall() {
        JdbcDispatchStore unreachable = new JdbcDispatchStore(
                () -> {
                    throw new SQLException("connection refused");
                },
                plain);
        ClaimRequest request = new ClaimRequest(TERMS, Ordering.NONE, Duration.ZERO, 1, 1);

        assertThatThrownBy(() -> unreachable.open(Ordering.NONE)).isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> unreachable.claim(request)).isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> unreachable.claim("e-1", TERMS)).isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> unreachable.renew(Set.of(CLAIM), TERMS.lease()))
                .isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> unreachable.settle(List.of())).isInstanceOf(OutboxException.class);
        assertThatThrownBy(() -> unreachable.release(Set.of(CLAIM))).isInstanceOf(OutboxException.class);
    }

    @Test
    void countsEveryClaimAsHeld() {
        assertThat(store.claim("e-1", TERMS)).isTrue();
        assertThat(store.renew(Set.of(CLAIM), TERMS.lease())).containsExactly(CLAIM);
        assertThat(store.release(Set.of(CLAIM))).isEqualTo(1);
        assertThat(plain.calls).isEmpty();
    }
}
