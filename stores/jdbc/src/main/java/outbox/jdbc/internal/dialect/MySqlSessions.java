package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import outbox.OutboxException;
import outbox.internal.KeyHash;
import outbox.jdbc.internal.relay.ClusterRead;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.ClusterView;

/**
 * MySQL and MariaDB: locks have names.
 *
 * @param connectionLock in a cluster with several writing servers each has its own, which is why a row names the server
 * @param limitsStatements whether the driver can limit a statement without opening another connection for it
 */
record MySqlSessions(ConnectionLock connectionLock, boolean limitsStatements) implements Sessions {

    private static final int LOCK_SECONDS = 60;
    private static final String LOCK_NAME = "CONCAT('catbox ', %s)";

    static MySqlSessions mySql() {
        return new MySqlSessions(lock("performance_schema.global_status"), false);
    }

    static MySqlSessions mariaDb() {
        return new MySqlSessions(lock("information_schema.global_status"), true);
    }

    private static ConnectionLock lock(String status) {
        // Both times are those of the statement, so their difference is the second in which the server was started.
        String run =
                "CONCAT(@@hostname, ':', @@port, ' since ', UNIX_TIMESTAMP() - (SELECT CAST(variable_value AS SIGNED)"
                        + " FROM " + status + " WHERE variable_name = 'Uptime'))";
        return new ConnectionLock(
                "SELECT CASE WHEN GET_LOCK(" + LOCK_NAME.formatted("?") + ", 0) = 1 THEN " + run + " END",
                run,
                "IS_FREE_LOCK(" + LOCK_NAME + ") = 1",
                "SELECT RELEASE_LOCK(" + LOCK_NAME.formatted("?") + ")");
    }

    @Override
    public Optional<ClusterView> heartbeat(Connection conn, ClusterRead read) {
        int seconds = (int) Math.max(1, read.statementMax().toSeconds());
        return read.inTwoStatements(conn, statement -> {
            if (limitsStatements) {
                statement.setQueryTimeout(seconds);
            }
        });
    }

    /** The server ends a silent connection, and with it the transaction. The network's time-out limits its statements. */
    @Override
    public void limitSilence(Connection conn, Duration statementMax) {
        Sql.update(
                conn,
                "limit how long it may be silent",
                "SET @catbox_wait_timeout = @@SESSION.wait_timeout, SESSION wait_timeout = 2");
    }

    @Override
    public void unlimitSilence(Connection conn) {
        Sql.update(conn, "end that limit", "SET SESSION wait_timeout = @catbox_wait_timeout");
    }

    /** DDL commits implicitly here, so the lock belongs to the session and not to the transaction. */
    @Override
    public void lockMigrations(Connection conn, String table) {
        List<String> taken = Sql.strings(
                conn, "lock migrations of " + table, "SELECT GET_LOCK(?, ?)", lockName(table), LOCK_SECONDS);
        if (!taken.contains("1")) {
            throw new OutboxException(
                    "another migration of " + table + " has been running for " + LOCK_SECONDS + " seconds");
        }
    }

    // Names of locks have 64 characters at most, and qualified tables may have more.
    private static String lockName(String table) {
        return "catbox " + KeyHash.of(table);
    }

    @Override
    public void unlockMigrations(Connection conn, String table) {
        Sql.strings(conn, "unlock migrations of " + table, "SELECT RELEASE_LOCK(?)", lockName(table));
    }
}
