package outbox.internal;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.OutboxException;
import outbox.spi.ConnectionProvider;

final class JdbcTransactionTest {

    private final FakeConnection fake = new FakeConnection();
    private final ConnectionProvider provider = () -> fake.connection;

    @Test
    void commitsWorkThatSucceeds() {
        assertThat(JdbcTransaction.<String>run(provider, conn -> {
                    assertThat(conn).isSameAs(fake.connection);
                    fake.calls.add("work");
                    return "result";
                }))
                .isEqualTo("result");
        assertThat(fake.calls).containsExactly("setAutoCommit false", "work", "commit", "setAutoCommit true", "close");
    }

    @Test
    void rollsBackWorkThatFails() {
        IllegalStateException failure = new IllegalStateException("no");

        assertThatThrownBy(() -> JdbcTransaction.run(provider, conn -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(fake.calls).contains("rollback").doesNotContain("commit").endsWith("close");
        assertThat(fake.autoCommit).isTrue();
    }

    @Test
    void rollsBackWorkThatFailsWithAnError() {
        StackOverflowError failure = new StackOverflowError();

        assertThatThrownBy(() -> JdbcTransaction.run(provider, conn -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(fake.calls).contains("rollback").doesNotContain("commit").endsWith("close");
    }

    @Test
    void worksAtReadCommittedAndGivesTheIsolationBack() {
        fake.isolation = TRANSACTION_REPEATABLE_READ;
        int duringWork = JdbcTransaction.run(provider, conn -> fake.isolation);

        assertThat(duringWork).isEqualTo(TRANSACTION_READ_COMMITTED);
        assertThat(fake.isolation).isEqualTo(TRANSACTION_REPEATABLE_READ);
        assertThat(fake.calls)
                .containsExactly(
                        "setTransactionIsolation " + TRANSACTION_READ_COMMITTED,
                        "setAutoCommit false",
                        "commit",
                        "setAutoCommit true",
                        "setTransactionIsolation " + TRANSACTION_REPEATABLE_READ,
                        "close");
    }

    @Test
    void touchesNoSettingThatIsAlreadyRight() {
        fake.autoCommit = false;
        JdbcTransaction.run(provider, conn -> 1);

        assertThat(fake.calls).containsExactly("commit", "close");
        assertThat(fake.autoCommit).isFalse();
    }

    @Test
    void turnsAMissingConnectionIntoItsOwnException() {
        SQLException down = new SQLException("connection refused");

        assertThatThrownBy(() -> JdbcTransaction.run(
                        () -> {
                            throw down;
                        },
                        conn -> 1))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("connection refused")
                .hasCause(down);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"getAutoCommit", "getTransactionIsolation", "setTransactionIsolation", "setAutoCommit", "commit"
            })
    void turnsAFailureOfTheConnectionIntoItsOwnException(String method) {
        fake.isolation = TRANSACTION_REPEATABLE_READ;
        fake.failing.add(method);

        assertThatThrownBy(() -> JdbcTransaction.run(provider, conn -> 1))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining(method + " failed")
                .hasCauseInstanceOf(SQLException.class);
        assertThat(fake.closed).isTrue();
    }

    @Test
    void rollsBackWhenTheCommitFails() {
        fake.failing.add("commit");

        assertThatThrownBy(() -> JdbcTransaction.run(provider, conn -> 1)).isInstanceOf(OutboxException.class);
        assertThat(fake.calls).containsSubsequence("commit", "rollback", "close");
    }

    @Test
    void reportsTheFirstFailureWhenTheRollbackFailsToo() {
        fake.failing.add("rollback");
        IllegalStateException failure = new IllegalStateException("no");

        assertThatThrownBy(() -> JdbcTransaction.run(provider, (Connection conn) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(SQLException.class);
        assertThat(fake.closed).isTrue();
    }
}
