package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;

/** The rows of nodes. A member is alive until it expires by the database's clock. */
public record NodeRows(Dialect dialect, TableNames tables) {

    void add(Connection conn, Member member, Duration timeout) {
        String insert = "INSERT INTO " + tables.node() + " (session_id, node_id, weight, version, address, joined_at,"
                + " heartbeat_at, expires_at, ready) VALUES (?, ?, ?, ?, ?, " + dialect.now() + ", " + dialect.now()
                + ", " + dialect.nowPlus("?") + ", 0)";
        Object[] values = {
            member.session(), member.nodeId(), member.weight(), member.version(), member.address(), Sql.micros(timeout)
        };
        Sql.update(conn, "join as " + member.nodeId(), insert, values);
    }

    /** The statement that prolongs a session which has not expired; {@link #bindHeartbeat} sets its parameters. */
    String heartbeatSql() {
        return "UPDATE " + tables.node() + " SET heartbeat_at = " + dialect.now() + ", expires_at = "
                + dialect.nowPlus("?") + ", beat_micros = ?, ready = ?, lock_server = ? WHERE session_id = ?"
                + " AND expires_at > " + dialect.now();
    }

    /** Sets the parameters of {@link #heartbeatSql}, from the first on, and returns the index behind them. */
    static int bindHeartbeat(PreparedStatement statement, Heartbeat heartbeat, @Nullable String lockServer)
            throws SQLException {
        return Sql.bind(
                statement,
                1,
                Sql.micros(heartbeat.timeout()),
                Sql.micros(heartbeat.interval()),
                heartbeat.ready() ? 1 : 0,
                lockServer,
                heartbeat.session());
    }

    /** The condition that the connection of a node has ended, as 1 or 0; always 0 where the database does not show it. */
    String connectionEnded() {
        ConnectionLock lock = dialect.sessions().connectionLock();
        return lock == null ? "0" : lock.hasEnded("lock_server", "session_id");
    }

    /** Ends a session whose connection has ended and whose last heartbeat is this old. */
    boolean endDisconnected(Connection conn, String session, Duration silentFor) {
        String expire = "UPDATE " + tables.node() + " SET expires_at = " + dialect.now() + " WHERE session_id = ?"
                + " AND expires_at > " + dialect.now() + " AND heartbeat_at <= " + dialect.nowPlus("?") + " AND "
                + connectionEnded() + " = 1";
        return Sql.update(conn, "end session " + session, expire, session, -Sql.micros(silentFor)) > 0;
    }

    boolean isAlive(Connection conn, String session) {
        return isAlive(conn, session, "");
    }

    /** Waits for a heartbeat in flight, and locks out others until the transaction ends; then whether the session is alive. */
    boolean lockIfAlive(Connection conn, String session) {
        // Not in the condition: a row that has expired is to be locked as well.
        return isAlive(conn, session, " FOR UPDATE");
    }

    private boolean isAlive(Connection conn, String session, String lock) {
        String select = "SELECT CASE WHEN expires_at > " + dialect.now() + " THEN 'alive' ELSE 'expired' END FROM "
                + tables.node() + " WHERE session_id = ?" + lock;
        return Sql.strings(conn, "check session " + session, select, session).contains("alive");
    }

    /** The node ids of the members that are alive. */
    List<String> alive(Connection conn) {
        String select =
                "SELECT node_id FROM " + tables.node() + " WHERE expires_at > " + dialect.now() + " ORDER BY node_id";
        return Sql.strings(conn, "read the nodes", select);
    }

    void remove(Connection conn, String session) {
        Sql.update(conn, "end session " + session, "DELETE FROM " + tables.node() + " WHERE session_id = ?", session);
    }

    /** Members that expired longer ago than this, except for rows that are locked. */
    List<Member> expired(Connection conn, Duration olderThan) {
        String select = "SELECT session_id, node_id, weight, version, address FROM " + tables.node()
                + " WHERE expires_at <= " + dialect.nowPlus("?") + " ORDER BY session_id FOR UPDATE SKIP LOCKED";
        return Sql.list(conn, "find expired members", select, NodeRows::member, -Sql.micros(olderThan));
    }

    /** The member of a row that has all its columns. */
    public static Member member(ResultSet row) throws SQLException {
        return new Member(
                row.getString("session_id"),
                row.getString("node_id"),
                row.getInt("weight"),
                row.getString("version"),
                row.getString("address"));
    }
}
