package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.event.ThreeStepClaim;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.jdbc.internal.sql.InList;
import outbox.spi.ClaimRequest;

/** H2, for demos, tests and small applications. */
final class H2Dialect implements Dialect {

    private static final ReentrantLock MIGRATIONS = new ReentrantLock();

    @Override
    public String name() {
        return "h2";
    }

    @Override
    public String now() {
        return "CURRENT_TIMESTAMP(6)";
    }

    @Override
    public String nowPlus(String micros) {
        return "DATEADD(MICROSECOND, " + micros + ", CURRENT_TIMESTAMP(6))";
    }

    @Override
    public String microsSince(String column) {
        return "DATEDIFF(MICROSECOND, " + column + ", CURRENT_TIMESTAMP(6))";
    }

    /** It has no such locks: the time-out decides alone. */
    @Override
    public @Nullable ConnectionLock connectionLock() {
        return null;
    }

    /** Its limit would stay with the connection. */
    @Override
    public void limitStatement(PreparedStatement statement, Duration atMost) {}

    @Override
    public String pending(String alias) {
        return alias + ".pending = 1";
    }

    @Override
    public boolean locksBeyondTheLimit() {
        return true;
    }

    @Override
    public String pendingInLane(String alias) {
        return pending(alias);
    }

    @Override
    public String joinInOrder() {
        return "JOIN";
    }

    @Override
    public String shareLock() {
        return "FOR UPDATE";
    }

    @Override
    public String indexed(TableNames tables, String alias, String index) {
        return tables.event() + " " + alias;
    }

    @Override
    public void bindInstant(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
        statement.setObject(
                index, instant == null ? null : instant.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    public @Nullable Instant readInstant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    @Override
    public List<StoredRow> claim(Connection conn, EventSql sql, ClaimRequest request) throws SQLException {
        return new ThreeStepClaim(this, sql, request).claim(conn);
    }

    @Override
    public int updateClaimed(Connection conn, String table, ClaimedUpdate update) throws SQLException {
        List<ClaimedUpdate.Row> rows = update.rows();
        String value = "(CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS VARCHAR))";
        String sql = "MERGE INTO " + table + " t USING (VALUES " + InList.repeated(value, rows.size(), ", ")
                + ") AS c (claimed_id, claimed_token, value_micros, value_text)"
                + " ON " + update.matches() + " AND t.status IN (0, 2)"
                + " WHEN MATCHED THEN UPDATE SET " + update.assignments();
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

    /** It has no such limit; in the same process, nobody is frozen alone. */
    @Override
    public void limitSilence(Connection conn, Duration statementMax) {}

    @Override
    public void unlimitSilence(Connection conn) {}

    /** It has no statistics to be led astray by. */
    @Override
    public void keepToIndexes(Connection conn) {}

    /** Altering one table twice at the same time confuses the database, which as a rule lives in this process. */
    @Override
    public void lockMigrations(Connection conn, String table) {
        MIGRATIONS.lock();
    }

    @Override
    public void unlockMigrations(Connection conn, String table) {
        MIGRATIONS.unlock();
    }
}
