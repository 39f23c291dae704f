package outbox.jdbc.internal.dialect;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.MySqlChecks;
import outbox.jdbc.internal.diagnosis.ServerChecks;
import outbox.jdbc.internal.event.ClaimedUpdate;

/** MySQL and MariaDB, which differ in the name of their binary collation and in their sessions. Times are UTC in DATETIME columns. */
final class MySqlDialect extends PortableDialect {

    private static final String NOW = "UTC_TIMESTAMP(6)";
    private final String name;
    private final String collation;
    private final Sessions sessions;

    private MySqlDialect(String name, String collation, Sessions sessions) {
        this.name = name;
        this.collation = collation;
        this.sessions = sessions;
    }

    static MySqlDialect mySql() {
        return new MySqlDialect("mysql", "utf8mb4_0900_bin", MySqlSessions.mySql());
    }

    static MySqlDialect mariaDb() {
        return new MySqlDialect("mariadb", "utf8mb4_nopad_bin", MySqlSessions.mariaDb());
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

    @Override
    boolean locksBeyondLimit() {
        return false;
    }

    @Override
    public String shareLock() {
        return "LOCK IN SHARE MODE";
    }

    // The optimizer takes an index that is null nearly everywhere for useless.
    @Override
    public String indexed(TableNames tables, String alias, String index) {
        return tables.event() + " " + alias + " FORCE INDEX (" + tables.unqualified() + "_" + index + ")";
    }

    /** A LocalDateTime is sent as it is; the driver would move an Instant to the session's time zone. */
    @Override
    public Object parameter(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    @Override
    public @Nullable Instant readInstant(ResultSet row, int column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }

    /** The values come first in the join: each finds its row by the primary key. */
    @Override
    String updateOf(String table, ClaimedUpdate update) {
        String first =
                "SELECT CAST(? AS CHAR(36)) COLLATE " + collation + " AS claimed_id, CAST(? AS CHAR(36)) COLLATE "
                        + collation + " AS claimed_token, ? AS value_micros, ? AS value_text";
        String more = " UNION ALL SELECT ?, ?, ?, ?";
        return "UPDATE (" + first + more.repeat(update.rows().size() - 1) + ") c STRAIGHT_JOIN " + table
                + " t ON " + update.matches() + " SET " + update.assignments()
                + " WHERE t.status IN (0, 2)";
    }

    @Override
    public Sessions sessions() {
        return sessions;
    }

    @Override
    public IndexStatements indexes(TableNames tables) {
        return new MySqlIndexes(tables);
    }

    @Override
    public PartitionReads reads(TableNames tables, Duration statementMax) {
        return new MySqlReads(this, tables);
    }

    @Override
    public ServerChecks checks(TableNames tables, DiagnosisLimits limits) {
        return new MySqlChecks(tables, limits);
    }
}
