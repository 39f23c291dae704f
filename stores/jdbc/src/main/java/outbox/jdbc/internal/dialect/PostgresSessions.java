package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import outbox.jdbc.internal.relay.ClusterRead;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.ClusterView;

/** PostgreSQL: advisory locks, and limits that end with the transaction. */
record PostgresSessions() implements Sessions {

    private static final String RUN_OF_SERVER =
            "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint::text";

    private static final String LOCK_KEY = "hashtextextended('catbox ' || %s, 0)";

    private static final ConnectionLock CONNECTION_LOCK = new ConnectionLock(
            "SELECT CASE WHEN pg_try_advisory_lock(" + LOCK_KEY.formatted("?::text") + ") THEN " + RUN_OF_SERVER
                    + " END",
            RUN_OF_SERVER,
            "pg_try_advisory_xact_lock_shared(" + LOCK_KEY + ")",
            "SELECT pg_advisory_unlock(" + LOCK_KEY.formatted("?::text") + ")");

    /**
     * An advisory lock of the session. Other nodes find out that it is free by taking it in share mode for the length of
     * their statement; the owner, which may want it back at that very moment, tries again with its next heartbeat.
     */
    @Override
    public ConnectionLock connectionLock() {
        return CONNECTION_LOCK;
    }

    /** The limit stands before the statement: the driver would open another connection, and wait for that one. */
    @Override
    public Optional<ClusterView> heartbeat(Connection conn, ClusterRead read) {
        return read.inOneStatement(conn, "SELECT " + limit(read.statementMax()) + "; ");
    }

    /** Has the server give a statement up after this long, as part of the message that carries the statement. */
    static String limit(Duration atMost) {
        return "set_config('statement_timeout', '" + atMost.toMillis() + "', true)";
    }

    /** The limits belong to the transaction. A lock that is not free in time is tried again later. */
    @Override
    public void limitSilence(Connection conn, Duration statementMax) {
        String millis = Long.toString(statementMax.toMillis());
        String select = "SELECT set_config('idle_in_transaction_session_timeout', '2000', true),"
                + " set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true)";
        Sql.strings(conn, "limit how long a transaction may be silent", select, millis, millis);
    }

    @Override
    public void unlimitSilence(Connection conn) {}

    @Override
    public void lockMigrations(Connection conn, String table) {
        String lock = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";
        Sql.strings(conn, "lock migrations of " + table, lock, "catbox " + table);
    }

    /** The lock ends with the transaction. */
    @Override
    public void unlockMigrations(Connection conn, String table) {}
}
