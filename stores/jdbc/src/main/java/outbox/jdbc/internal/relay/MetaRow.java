package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.StoredLayout;

/**
 * The row that says how the table is worked. A transaction that changes it, or what depends on it, locks it first: this
 * row, then partitions, then nodes.
 */
public record MetaRow(Dialect dialect, TableNames tables) {

    /** Reads it and keeps others from changing it, or from relying on it, until the transaction ends. */
    public StoredLayout lock(Connection conn) {
        return read(conn, "FOR UPDATE");
    }

    /** Reads it and keeps others from changing it until the transaction ends. */
    StoredLayout share(Connection conn) {
        return read(conn, dialect.shareLock());
    }

    /** Reads it and locks nothing. */
    public StoredLayout read(Connection conn) {
        return read(conn, "");
    }

    private StoredLayout read(Connection conn, String lock) {
        String select = "SELECT claim_strategy, partitions, partitions_wanted FROM " + tables.meta() + " WHERE id = 1 ";
        return Sql.list(conn, "read how the table is worked", select + lock, MetaRow::layout).stream()
                .findFirst()
                .orElseThrow(() ->
                        new OutboxException("table " + tables.meta() + " has lost its row; install the schema again"));
    }

    private static StoredLayout layout(ResultSet row) throws SQLException {
        return new StoredLayout(
                row.getString("claim_strategy"),
                row.getInt("partitions"),
                row.getObject("partitions_wanted", Integer.class));
    }

    /** Gives the table to dispatchers unless relays work on it. */
    public void claimForDispatchers(Connection conn) {
        String claim = "UPDATE " + tables.meta() + " SET claim_strategy = ? WHERE id = 1 AND claim_strategy IS NULL";
        Sql.update(conn, "record how the table is worked", claim, StoredLayout.DISPATCHER);
        StoredLayout.requireDispatchers(
                "table " + tables.event(), read(conn).strategy(), "SchemaInstaller.changeToDispatchers()");
    }

    public void setStrategy(Connection conn, String strategy) {
        update(conn, "claim_strategy = ?", strategy);
    }

    void setWanted(Connection conn, @Nullable Integer partitions) {
        update(conn, "partitions_wanted = ?", partitions);
    }

    void setPartitions(Connection conn, int partitions) {
        update(conn, "partitions = ?, partitions_wanted = NULL", partitions);
    }

    void raisePausesVersion(Connection conn) {
        update(conn, "holds_version = holds_version + 1");
    }

    private void update(Connection conn, String assignments, @Nullable Object... parameters) {
        String update = "UPDATE " + tables.meta() + " SET " + assignments + " WHERE id = 1";
        Sql.update(conn, "change how the table is worked", update, parameters);
    }
}
