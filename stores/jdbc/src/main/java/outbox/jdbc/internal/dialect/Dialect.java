package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.ClaimRequest;

/** What differs between databases: how they tell the time, skip locks, join values to an update, and lock a migration. */
public interface Dialect {

    /** The folder of its migrations. */
    String name();

    /** The database's clock at the start of the statement, never of the transaction. */
    String now();

    /** {@link #now()} and a number of microseconds, which may be negative; null stays null. */
    String nowPlus(String micros);

    /** The condition on a pending row that the pending-only index answers. */
    String pending(String alias);

    /** The same for the index of lanes. */
    String pendingInLane(String alias);

    /** The event table under an alias, read through the index that the statement is made for, where that can be said. */
    String indexed(TableNames tables, String alias, String index);

    /** The microseconds since a time in a column, at the start of the statement. */
    String microsSince(String column);

    /** How this database shows that a connection has ended; null when it does not. */
    @Nullable
    ConnectionLock connectionLock();

    /** Has the database give a statement up after this long, where it can; a whole second at least. */
    void limitStatement(PreparedStatement statement, Duration atMost) throws SQLException;

    void bindInstant(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException;

    @Nullable
    Instant readInstant(ResultSet row, int column) throws SQLException;

    default @Nullable Instant readInstant(ResultSet row, String column) throws SQLException {
        return readInstant(row, row.findColumn(column));
    }

    /** Whether a locking read locks rows that its LIMIT then leaves out. */
    boolean locksBeyondTheLimit();

    /** Claims as the request says and gives the rows, longest due first; also those that cannot be read. */
    List<StoredRow> claim(Connection conn, EventSql sql, ClaimRequest request) throws SQLException;

    /** Changes the pending rows whose claims are named, each with values of its own, as one statement. */
    int updateClaimed(Connection conn, String table, ClaimedUpdate update) throws SQLException;

    /** JOIN, told to read the left side first where that can be told. */
    String joinInOrder();

    /** The end of a SELECT that keeps others from changing its rows, and not from locking them likewise where that can be had. */
    String shareLock();

    /**
     * What stands before a statement that finds its rows through indexes, as part of the same message, where a planner
     * might read the whole table instead: a session keeps plans that it made while the table was empty, and goes by them
     * when it is not. It also sees to it that plans are kept. It counts until the transaction ends, and gives one
     * result before the statement's own. A driver that is told to send each part by itself (preferQueryMode simple)
     * leaves it without effect.
     */
    default String throughIndexes() {
        return "";
    }

    /**
     * Lets the database end this transaction when nothing is heard of it for two seconds, and each of its statements
     * after a while, where it can.
     */
    void limitSilence(Connection conn, Duration statementMax) throws SQLException;

    /** Ends that limit, so that the connection is as it was. */
    void unlimitSilence(Connection conn) throws SQLException;

    /** Has statements that are made to walk an index do so for the rest of this transaction, where they might not. */
    void keepToIndexes(Connection conn) throws SQLException;

    /** Waits until no other migration is under way, in this transaction. */
    void lockMigrations(Connection conn, String table) throws SQLException;

    void unlockMigrations(Connection conn, String table) throws SQLException;

    static Dialect of(Connection conn) {
        try {
            String product = conn.getMetaData().getDatabaseProductName();
            String version = conn.getMetaData().getDatabaseProductVersion();
            return switch (product.toLowerCase(Locale.ROOT)) {
                case "postgresql" -> new PostgresDialect();
                case "mariadb" -> MySqlDialect.mariaDb();
                // MySQL's driver calls a MariaDB server MySQL too; the version tells.
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
            throw SqlFailure.of("tell which database this is", e);
        }
    }
}
