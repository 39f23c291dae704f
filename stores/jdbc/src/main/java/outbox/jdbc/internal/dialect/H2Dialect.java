package outbox.jdbc.internal.dialect;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.H2Checks;
import outbox.jdbc.internal.diagnosis.ServerChecks;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.sql.Sql;

/** H2, for demos, tests and small applications. */
final class H2Dialect extends PortableDialect {

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

    @Override
    boolean locksBeyondLimit() {
        return true;
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
    public Object parameter(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    @Override
    public @Nullable Instant readInstant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    @Override
    String updateOf(String table, ClaimedUpdate update) {
        String value = "(CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS VARCHAR))";
        return "MERGE INTO " + table + " t USING (VALUES "
                + Sql.repeated(value, update.rows().size(), ", ")
                + ") AS c (claimed_id, claimed_token, value_micros, value_text)"
                + " ON " + update.matches() + " AND t.status IN (0, 2)"
                + " WHEN MATCHED THEN UPDATE SET " + update.assignments();
    }

    @Override
    public Sessions sessions() {
        return new H2Sessions();
    }

    @Override
    public IndexStatements indexes(TableNames tables) {
        return new H2Indexes(tables);
    }

    @Override
    public PartitionReads reads(TableNames tables, Duration statementMax) {
        return new H2Reads(this, tables);
    }

    @Override
    public ServerChecks checks(TableNames tables, DiagnosisLimits limits) {
        return new H2Checks();
    }
}
