package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JdbcTransactionManagerTest {

    private final TestDatabase database = TestDatabase.h2();
    private final ThreadLocalTxContext context = new ThreadLocalTxContext();
    private final JdbcTransactionManager manager = new JdbcTransactionManager(database.connections(), context);
    private final List<String> happened = new ArrayList<>();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void callbacksRunAfterTheCommitAndWithoutTheConnection() throws Exception {
        manager.run(conn -> {
            context.afterCommit(() -> happened.add("committed " + context.isTransactionActive() + " "
                    + database.dataSource().getHikariPoolMXBean().getActiveConnections()));
            context.afterRollback(() -> happened.add("rolled back"));
            happened.add("worked");
        });
        assertThat(happened).containsExactly("worked", "committed false 0");
    }

    @Test
    void aFailureRollsBackAndIsPassedOn() {
        assertThatThrownBy(() -> manager.run(conn -> {
                    context.afterCommit(() -> happened.add("committed"));
                    context.afterRollback(() -> happened.add("rolled back"));
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock");
        assertThat(happened).containsExactly("rolled back");
        assertThat(context.isTransactionActive()).isFalse();
    }

    @Test
    void aTransactionThatIsOnlyClosedIsRolledBack() throws Exception {
        try (JdbcTransactionManager.Transaction tx = manager.begin()) {
            assertThat(tx.connection().getAutoCommit()).isFalse();
            context.afterRollback(() -> happened.add("rolled back"));
        }
        assertThat(happened).containsExactly("rolled back");
    }

    @Test
    void aCallbackThatFailsDoesNotHideTheCommitNorTheOthers() throws Exception {
        manager.run(conn -> {
            context.afterCommit(() -> {
                throw new IllegalStateException("callback");
            });
            context.afterCommit(() -> happened.add("second"));
        });
        assertThat(happened).containsExactly("second");
    }

    @Test
    void aThreadHasOneTransactionAtATime() throws Exception {
        try (JdbcTransactionManager.Transaction tx = manager.begin()) {
            assertThatThrownBy(manager::begin).isInstanceOf(IllegalStateException.class);
            tx.commit();
            assertThatThrownBy(tx::commit).hasMessage("the transaction has ended already");
        }
        assertThatThrownBy(context::currentConnection).hasMessage("this thread is in no transaction");
    }

    @Test
    void aConnectionThatCannotBeGivenBackDoesNotUndoTheCommit() throws Exception {
        JdbcTransactionManager broken = new JdbcTransactionManager(this::unclosable, context);
        broken.run(conn -> context.afterCommit(() -> happened.add("committed")));
        assertThat(happened).containsExactly("committed");
        manager.run(conn -> happened.add("the thread goes on"));
        assertThat(happened).hasSize(2);
    }

    private Connection unclosable() throws SQLException {
        Connection real = database.dataSource().getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        real.close();
                        throw new SQLException("cannot close");
                    }
                    return method.invoke(real, args);
                });
    }
}
