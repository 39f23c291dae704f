package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.internal.KeyHash;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.event.ThreeStepClaim;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.spi.ClaimRequest;

/** MySQL and MariaDB, which differ in the name of their binary collation. Times are UTC in DATETIME columns. */
final class MySqlDialect implements Dialect {

    private static final String NOW = "UTC_TIMESTAMP(6)";
    private static final int LOCK_SECONDS = 60;
    private static final String LOCK_NAME = "CONCAT('catbox ', %s)";

    private final String name;
    private final String collation;
    private final ConnectionLock connectionLock;

    /** @param status the table of the server's status variables */
    private MySqlDialect(String name, String collation, String status) {
        this.name = name;
        this.collation = collation;
        // Both times are those of the statement, so their difference is the second in which the server was started.
        String run =
                "CONCAT(@@hostname, ':', @@port, ' since ', UNIX_TIMESTAMP() - (SELECT CAST(variable_value AS SIGNED)"
                        + " FROM " + status + " WHERE variable_name = 'Uptime'))";
        this.connectionLock = new ConnectionLock(
                "SELECT CASE WHEN GET_LOCK(" + LOCK_NAME.formatted("?") + ", 0) = 1 THEN " + run + " END",
                run,
                "IS_FREE_LOCK(" + LOCK_NAME + ") = 1",
                "SELECT RELEASE_LOCK(" + LOCK_NAME.formatted("?") + ")");
    }

    static MySqlDialect mySql() {
        return new MySqlDialect("mysql", "utf8mb4_0900_bin", "performance_schema.global_status");
    }

    static MySqlDialect mariaDb() {
        return new MySqlDialect("mariadb", "utf8mb4_nopad_bin", "information_schema.global_status");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String now() {
        return NOW;
    }

    @Override
    public String nowPlus(String micros) {
        return NOW + " + INTERVAL " + micros + " MICROSECOND";
    }

    @Override
    public String microsSince(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, " + column + ", " + NOW + ")";
    }

    /** A named lock. In a cluster with several writing servers each has its own, which is why a row names the server. */
    @Override
    public ConnectionLock connectionLock() {
        return connectionLock;
    }

    @Override
    public void limitStatement(PreparedStatement statement, Duration atMost) throws SQLException {
        if (name.equals("mariadb")) { // MySQL's driver would open another connection for it.
            statement.setQueryTimeout((int) Math.max(1, atMost.toSeconds()));
        }
    }

    @Override
    public String pending(String alias) {
        return alias + ".pending = 1";
    }

    @Override
    public boolean locksBeyondTheLimit() {
        return false;
    }

    @Override
    public String pendingInLane(String alias) {
        return pending(alias);
    }

    @Override
    public String joinInOrder() {
        return "STRAIGHT_JOIN";
    }

    @Override
    public String shareLock() {
        return "LOCK IN SHARE MODE";
    }

    // Said aloud, because the optimizer takes an index that is null nearly everywhere for one that is no use.
    @Override
    public String indexed(TableNames tables, String alias, String index) {
        return tables.event() + " " + alias + " FORCE INDEX (" + tables.unqualified() + "_" + index + ")";
    }

    @Override
    public void bindInstant(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
        if (instant == null) {
            statement.setNull(index, Types.TIMESTAMP);
        } else {
            // A LocalDateTime is sent as it is; an Instant would be moved to the session's time zone.
            statement.setObject(index, LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
        }
    }

    @Override
    public @Nullable Instant readInstant(ResultSet row, int column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }

    @Override
    public List<StoredRow> claim(Connection conn, EventSql sql, ClaimRequest request) throws SQLException {
        return new ThreeStepClaim(this, sql, request).claim(conn);
    }

    /** The values come first in the join: each is looked up by the primary key. */
    @Override
    public int updateClaimed(Connection conn, String table, ClaimedUpdate update) throws SQLException {
        String first =
                "SELECT CAST(? AS CHAR(36)) COLLATE " + collation + " AS claimed_id, CAST(? AS CHAR(36)) COLLATE "
                        + collation + " AS claimed_token, ? AS value_micros, ? AS value_text";
        String more = " UNION ALL SELECT ?, ?, ?, ?";
        List<ClaimedUpdate.Row> rows = update.rows();
        String sql = "UPDATE (" + first + more.repeat(rows.size() - 1) + ") c STRAIGHT_JOIN " + table
                + " t ON " + update.matches() + " SET " + update.assignments()
                + " WHERE t.status IN (0, 2)";
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            int at = 0;
            for (ClaimedUpdate.Row row : rows) {
                statement.setString(++at, row.claim().eventId());
                statement.setString(++at, row.claim().token());
                statement.setLong(++at, row.micros());
                statement.setString(++at, row.text());
            }
            return statement.executeUpdate();
        }
    }

    /** The server ends a connection that is silent, and with it the transaction. Its statements are limited by the network's time-out alone. */
    @Override
    public void limitSilence(Connection conn, Duration statementMax) throws SQLException {
        execute(conn, "SET @catbox_wait_timeout = @@SESSION.wait_timeout, SESSION wait_timeout = 2");
    }

    @Override
    public void unlimitSilence(Connection conn) throws SQLException {
        execute(conn, "SET SESSION wait_timeout = @catbox_wait_timeout");
    }

    private static void execute(Connection conn, String sql) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            statement.execute(sql);
        }
    }

    /** {@link #indexed} says it. */
    @Override
    public void keepToIndexes(Connection conn) {}

    /** DDL commits by itself here, so the lock belongs to the session and not to the transaction. */
    @Override
    public void lockMigrations(Connection conn, String table) throws SQLException {
        try (PreparedStatement statement = conn.prepareStatement("SELECT GET_LOCK(?, ?)")) {
            statement.setString(1, lockName(table));
            statement.setInt(2, LOCK_SECONDS);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next() || row.getInt(1) != 1) {
                    throw new OutboxException(
                            "another migration of " + table + " has been under way for " + LOCK_SECONDS + " seconds");
                }
            }
        }
    }

    // Names of locks have 64 characters at most, and qualified tables may have more.
    private static String lockName(String table) {
        return "catbox " + KeyHash.of(table);
    }

    @Override
    public void unlockMigrations(Connection conn, String table) throws SQLException {
        try (PreparedStatement statement = conn.prepareStatement("SELECT RELEASE_LOCK(?)")) {
            statement.setString(1, lockName(table));
            statement.execute();
        }
    }
}
