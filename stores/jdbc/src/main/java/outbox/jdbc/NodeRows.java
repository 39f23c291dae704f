package outbox.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import outbox.model.Member;

/** Who is there. A member lives while its time has not expired, by the database's clock. */
record NodeRows(Dialect dialect, TableNames tables) {

    void add(Connection conn, Member member, Duration timeout) {
        Sql.update(
                conn,
                "join as " + member.nodeId(),
                "INSERT INTO " + tables.node() + " (session_id, node_id, weight, version, address, joined_at,"
                        + " heartbeat_at, expires_at) VALUES (?, ?, ?, ?, ?, " + dialect.now() + ", " + dialect.now()
                        + ", " + dialect.nowPlus("?") + ")",
                statement -> {
                    statement.setString(1, member.session());
                    statement.setString(2, member.nodeId());
                    statement.setInt(3, member.weight());
                    statement.setString(4, member.version());
                    statement.setString(5, member.address());
                    statement.setLong(6, Micros.of(timeout));
                });
    }

    /** The statement that prolongs a life which has not ended: microseconds, then session. */
    String beatSql() {
        return "UPDATE " + tables.node() + " SET heartbeat_at = " + dialect.now() + ", expires_at = "
                + dialect.nowPlus("?") + " WHERE session_id = ? AND expires_at > " + dialect.now();
    }

    boolean isAlive(Connection conn, String session) {
        return isAlive(conn, session, "");
    }

    /** Whether a session lives, seen after any beat that is under way, and kept from beating until the transaction ends. */
    boolean lockIfAlive(Connection conn, String session) {
        // Not in the condition: a row that has expired is to be locked as well.
        return isAlive(conn, session, " FOR UPDATE");
    }

    private boolean isAlive(Connection conn, String session, String lock) {
        return Sql.query(
                        conn,
                        "look after session " + session,
                        "SELECT CASE WHEN expires_at > " + dialect.now() + " THEN 'alive' ELSE 'expired' END FROM "
                                + tables.node() + " WHERE session_id = ?" + lock,
                        statement -> statement.setString(1, session),
                        Sql::strings)
                .contains("alive");
    }

    /** The node ids of the members that live. */
    List<String> alive(Connection conn) {
        return Sql.query(
                conn,
                "look who is there",
                "SELECT node_id FROM " + tables.node() + " WHERE expires_at > " + dialect.now() + " ORDER BY node_id",
                statement -> {},
                Sql::strings);
    }

    void remove(Connection conn, String session) {
        Sql.update(
                conn,
                "end session " + session,
                "DELETE FROM " + tables.node() + " WHERE session_id = ?",
                statement -> statement.setString(1, session));
    }

    /** Members that expired longer ago than this, passing over those that somebody is at. */
    List<Member> expired(Connection conn, Duration olderThan) {
        return Sql.query(
                conn,
                "look for expired members",
                "SELECT session_id, node_id, weight, version, address FROM " + tables.node() + " WHERE expires_at <= "
                        + dialect.nowPlus("?") + " ORDER BY session_id FOR UPDATE SKIP LOCKED",
                statement -> statement.setLong(1, -Micros.of(olderThan)),
                rows -> {
                    List<Member> members = new ArrayList<>();
                    while (rows.next()) {
                        members.add(new Member(
                                rows.getString("session_id"),
                                rows.getString("node_id"),
                                rows.getInt("weight"),
                                rows.getString("version"),
                                rows.getString("address")));
                    }
                    return members;
                });
    }
}
