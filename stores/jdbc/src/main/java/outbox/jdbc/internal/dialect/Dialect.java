package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.ServerChecks;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.ClaimRequest;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;

/**
 * One database: its clock, its conditions for pending rows, its claims and updates. Everything else that differs between
 * databases is in the parts that a dialect returns.
 */
public interface Dialect {

    /** The folder of its migrations. */
    String name();

    // ---- time ----------------------------------------------------------------------------------------------------

    /** The database's clock at the start of the statement, never of the transaction. */
    String now();

    /** {@link #now()} and a number of microseconds, which may be negative; null stays null. */
    String nowPlus(String micros);

    /** The microseconds since a time in a column, at the start of the statement. */
    String microsSince(String column);

    /** A time as a statement takes it for a parameter. */
    Object parameter(Instant instant);

    @Nullable
    Instant readInstant(ResultSet row, int column) throws SQLException;

    default @Nullable Instant readInstant(ResultSet row, String column) throws SQLException {
        return readInstant(row, row.findColumn(column));
    }

    /** The time in a column that is never null. */
    default Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(readInstant(row, column));
    }

    /** The time in the only column, which is never null. */
    default Instant instant(ResultSet row) throws SQLException {
        return Objects.requireNonNull(readInstant(row, 1));
    }

    /** What the database's clock shows now. */
    default Instant readTime(Connection conn) {
        return Sql.list(conn, "read the time", "SELECT " + now(), this::instant).getFirst();
    }

    // ---- rows and their indexes ----------------------------------------------------------------------------------

    /** The condition on a pending row that the pending-only index answers. */
    String pending(String alias);

    /** The same for the index of lanes. */
    String pendingInLane(String alias);

    /** The event table under an alias, with the index that the statement is made for, where a database takes such a hint. */
    String indexed(TableNames tables, String alias, String index);

    /**
     * A prefix of a statement that finds its rows through indexes, as part of the same message, where a planner might read
     * the whole table instead: a session keeps plans that it made while the table was empty, and uses them when it is not.
     * The prefix also has plans kept. It holds until the transaction ends, and returns one result before the statement's
     * own. A driver that sends each part on its own (preferQueryMode simple) leaves it without effect. Empty where no
     * planner needs it.
     */
    String preferIndexes();

    /** The end of a SELECT that locks its rows against changes; where possible, others may lock them the same. */
    String shareLock();

    // ---- statements ----------------------------------------------------------------------------------------------

    /** Claims what the request asks for, and returns the rows, longest due first; also those that cannot be read. */
    List<StoredRow> claim(Connection conn, EventSql sql, ClaimRequest request) throws SQLException;

    /** Changes the pending rows whose claims are named, each with values of its own, as one statement. */
    int updateClaimed(Connection conn, String table, ClaimedUpdate update) throws SQLException;

    /** A settlement that is one statement and commits itself; empty when this request needs a transaction. */
    Optional<SettleStatement> settleStatement(TableNames tables, SettleRequest request);

    @FunctionalInterface
    interface SettleStatement {

        /** Returns what {@link outbox.spi.SettleStore#settle} does; the database gives up after a while. */
        SettleResult execute(Connection conn, Duration atMost);
    }

    // ---- parts ---------------------------------------------------------------------------------------------------

    Sessions sessions();

    SearchStatements searches();

    IndexStatements indexes(TableNames tables);

    /**
     * The reads of a relay.
     *
     * @param statementMax after which the server gives a read up, where it can: the caller has given it up by then, and
     *     repeats it
     */
    PartitionReads reads(TableNames tables, Duration statementMax);

    ServerChecks checks(TableNames tables, DiagnosisLimits limits);

    static Dialect of(Connection conn) {
        try {
            String product = conn.getMetaData().getDatabaseProductName();
            String version = conn.getMetaData().getDatabaseProductVersion();
            return switch (product.toLowerCase(Locale.ROOT)) {
                case "postgresql" -> new PostgresDialect();
                case "mariadb" -> MySqlDialect.mariaDb();
                // MySQL's driver calls a MariaDB server MySQL too; the version distinguishes them.
                case "mysql" ->
                    version.toLowerCase(Locale.ROOT).contains("mariadb")
                            ? MySqlDialect.mariaDb()
                            : MySqlDialect.mySql();
                case "h2" -> new H2Dialect();
                default ->
                    throw new OutboxException("the outbox works on PostgreSQL, MySQL, MariaDB and H2; this is "
                            + product + " " + version);
            };
        } catch (SQLException e) {
            throw SqlFailure.of("read which database this is", e);
        }
    }
}
