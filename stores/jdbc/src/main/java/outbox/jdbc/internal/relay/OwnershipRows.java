package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.PartitionOwnership;

/** The owners of partitions. The methods are parts of a transaction that has the meta row locked. */
public record OwnershipRows(Dialect dialect, TableNames tables) {

    /** The row of a partition. */
    record Row(int partition, @Nullable String owner, long epoch, int deaths) {

        /** What its next owner gets. An owner that has not released it has died. */
        AcquiredPartition takenBy(String session) {
            return new AcquiredPartition(
                    new PartitionOwnership(partition, epoch + 1, session), owner == null ? deaths : deaths + 1);
        }
    }

    private static final String COLUMNS = "slot, owner, epoch, deaths";

    /** Locks the row of a partition against takeovers; false when it is not owned so. */
    public boolean share(Connection conn, PartitionOwnership ownership) {
        String select = "SELECT epoch FROM " + tables.slot() + " WHERE slot = ? AND epoch = ? AND owner = ? "
                + dialect.shareLock();
        return !Sql.list(
                        conn,
                        "lock partition " + ownership.partition(),
                        select,
                        row -> row.getLong(1),
                        ownership.partition(),
                        ownership.epoch(),
                        ownership.owner())
                .isEmpty();
    }

    void forgetDeaths(Connection conn, PartitionOwnership ownership) {
        Sql.update(
                conn,
                "forget the deaths of partition " + ownership.partition(),
                "UPDATE " + tables.slot() + " SET deaths = 0 WHERE slot = ? AND epoch = ? AND owner = ?",
                ownership.partition(),
                ownership.epoch(),
                ownership.owner());
    }

    /** Locks the rows of partitions and reads them. Leaves out those that are locked: they are not free yet. */
    List<Row> lock(Connection conn, List<Integer> partitions) {
        String select = "SELECT " + COLUMNS + " FROM " + tables.slot() + " WHERE slot IN "
                + Sql.placeholders(partitions.size()) + " ORDER BY slot FOR UPDATE SKIP LOCKED";
        return Sql.list(conn, "lock partitions " + partitions, select, OwnershipRows::read, partitions);
    }

    private static Row read(ResultSet row) throws SQLException {
        return new Row(row.getInt("slot"), row.getString("owner"), row.getLong("epoch"), row.getInt("deaths"));
    }

    /** Gives partitions, whose rows are locked, to their next owner. */
    List<AcquiredPartition> give(Connection conn, List<Row> rows, String session) {
        List<Integer> partitions = rows.stream().map(Row::partition).toList();
        // The deaths first: MySQL sets one column after the other, and reads what it has set.
        String update =
                "UPDATE " + tables.slot() + " SET deaths = CASE WHEN owner IS NULL THEN deaths ELSE deaths + 1 END,"
                        + " owner = ?, epoch = epoch + 1, acquired_at = " + dialect.now() + " WHERE slot IN "
                        + Sql.placeholders(partitions.size());
        Sql.update(conn, "acquire partitions " + partitions, update, session, partitions);
        return rows.stream().map(row -> row.takenBy(session)).toList();
    }

    /** Frees every partition of a session. */
    void freeAll(Connection conn, String session) {
        Sql.update(
                conn,
                "free the partitions of session " + session,
                "UPDATE " + tables.slot() + " SET owner = NULL, acquired_at = " + dialect.now() + " WHERE owner = ?",
                session);
    }

    /** Changes the number of partitions if every one is free, and fences their former owners. */
    boolean repartition(Connection conn, MetaRow meta, int partitions) {
        String select = "SELECT " + COLUMNS + " FROM " + tables.slot() + " ORDER BY slot FOR UPDATE";
        List<Row> rows = Sql.list(conn, "lock all partitions", select, OwnershipRows::read);
        NodeRows nodes = new NodeRows(dialect, tables);
        if (rows.stream().anyMatch(row -> row.owner() != null && nodes.lockIfAlive(conn, row.owner()))) {
            return false;
        }
        long epochMax = rows.stream().mapToLong(Row::epoch).max().orElse(0);
        String insert = "INSERT INTO " + tables.slot() + " (slot, epoch) VALUES (?, ?)";
        for (int added = rows.size(); added < partitions; added++) {
            Sql.update(conn, "add partition " + added, insert, added, epochMax);
        }
        String update = "UPDATE " + tables.slot() + " SET owner = NULL, deaths = 0, acquired_at = " + dialect.now()
                + ", epoch = epoch + 1";
        Sql.update(conn, "free all partitions", update);
        meta.setPartitions(conn, partitions);
        new AuditRows(dialect, tables).add(conn, "catbox", "renumber", tables.event(), "to " + partitions);
        return true;
    }
}
