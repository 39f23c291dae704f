package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.event.ThreeStepClaim;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.ClaimRequest;
import outbox.spi.SettleRequest;

/** What MySQL, MariaDB and H2 have in common: a column for pending rows, and no UPDATE that returns rows. */
abstract class PortableDialect implements Dialect {

    @Override
    public String pending(String alias) {
        return alias + ".pending = 1";
    }

    @Override
    public String pendingInLane(String alias) {
        return pending(alias);
    }

    @Override
    public String preferIndexes() {
        return "";
    }

    @Override
    public List<StoredRow> claim(Connection conn, EventSql sql, ClaimRequest request) throws SQLException {
        return new ThreeStepClaim(this, sql, request, !locksBeyondLimit()).claim(conn);
    }

    /** Whether a locking read locks rows that its LIMIT then leaves out. */
    abstract boolean locksBeyondLimit();

    @Override
    public int updateClaimed(Connection conn, String table, ClaimedUpdate update) throws SQLException {
        try (PreparedStatement statement = conn.prepareStatement(updateOf(table, update))) {
            int at = 1;
            for (ClaimedUpdate.Row row : update.rows()) {
                at = Sql.bind(statement, at, row.claim().eventId(), row.claim().token(), row.micros(), row.text());
            }
            return statement.executeUpdate();
        }
    }

    /** The update as a statement whose parameters are the id, the token, the microseconds and the text of each row. */
    abstract String updateOf(String table, ClaimedUpdate update);

    /** Each settlement takes a transaction. */
    @Override
    public Optional<SettleStatement> settleStatement(TableNames tables, SettleRequest request) {
        return Optional.empty();
    }

    @Override
    public SearchStatements searches() {
        return new PortableSearches();
    }
}
