package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import org.junit.jupiter.api.Test;
import outbox.internal.JdbcTransaction;
import outbox.testkit.FakeConnections;

/** A pool that resets nothing gets its connections back as they were, also after a failure. */
class ConnectionStateTest {

    private final FakeConnections connections = new FakeConnections(true, Connection.TRANSACTION_REPEATABLE_READ);

    @Test
    void leavesTheConnectionAsItWasWhenTheWorkFails() {
        assertThatThrownBy(() -> JdbcTransaction.run(connections, conn -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(connections.autoCommit()).isTrue();
        assertThat(connections.isolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    }

    @Test
    void leavesAConnectionThatDoesNotCommitByItselfAsItWasWhenTheWorkFails() {
        FakeConnections manual = new FakeConnections(false, Connection.TRANSACTION_READ_COMMITTED);
        assertThatThrownBy(() -> JdbcTransaction.run(manual, conn -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(manual.autoCommit()).isFalse();
    }
}
