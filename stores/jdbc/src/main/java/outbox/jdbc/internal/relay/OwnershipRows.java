package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.PartitionOwnership;

/** Who owns which slot. Its methods are parts of a transaction that has the meta row locked. */
public record OwnershipRows(Dialect dialect, TableNames tables) {

    /** A slot's row. */
    record Row(int slot, @Nullable String owner, long epoch, int deaths) {

        /** What its next owner has. One that was not given back belonged to an owner that has died. */
        AcquiredPartition takenBy(String session) {
            return new AcquiredPartition(
                    new PartitionOwnership(slot, epoch + 1, session), owner == null ? deaths : deaths + 1);
        }
    }

    private static final String COLUMNS = "slot, owner, epoch, deaths";

    /** Locks a slot's row against takeovers; false when it is not held so. */
    public boolean share(Connection conn, PartitionOwnership hold) {
        String select = "SELECT epoch FROM " + tables.slot() + " WHERE slot = ? AND epoch = ? AND owner = ? "
                + dialect.shareLock();
        return !Sql.query(
                        conn,
                        "hold slot " + hold.partition(),
                        select,
                        statement -> bind(statement, 1, hold),
                        Sql::strings)
                .isEmpty();
    }

    private static void bind(PreparedStatement statement, int first, PartitionOwnership hold) throws SQLException {
        statement.setInt(first, hold.partition());
        statement.setLong(first + 1, hold.epoch());
        statement.setString(first + 2, hold.owner());
    }

    void forgetDeaths(Connection conn, PartitionOwnership hold) {
        Sql.update(
                conn,
                "forget the deaths of slot " + hold.partition(),
                "UPDATE " + tables.slot() + " SET deaths = 0 WHERE slot = ? AND epoch = ? AND owner = ?",
                statement -> bind(statement, 1, hold));
    }

    /** Locks the rows of slots and reads them. Leaves out those that another is at: they are not free yet. */
    List<Row> lock(Connection conn, List<Integer> slots) {
        return Sql.list(
                conn,
                "lock slots " + slots,
                "SELECT " + COLUMNS + " FROM " + tables.slot() + " WHERE slot IN " + InList.of(slots.size())
                        + " ORDER BY slot FOR UPDATE SKIP LOCKED",
                statement -> bind(statement, 1, slots),
                OwnershipRows::read);
    }

    private static void bind(PreparedStatement statement, int first, List<Integer> slots) throws SQLException {
        for (int n = 0; n < slots.size(); n++) {
            statement.setInt(first + n, slots.get(n));
        }
    }

    private static Row read(ResultSet row) throws SQLException {
        return new Row(row.getInt("slot"), row.getString("owner"), row.getLong("epoch"), row.getInt("deaths"));
    }

    /** Gives slots, whose rows are locked, to their next owner. */
    List<AcquiredPartition> give(Connection conn, List<Row> rows, String session) {
        List<Integer> slots = rows.stream().map(Row::slot).toList();
        // The deaths first: MySQL sets one column after the other, and reads what it has set.
        Sql.update(
                conn,
                "acquire slots " + slots,
                "UPDATE " + tables.slot() + " SET deaths = CASE WHEN owner IS NULL THEN deaths ELSE deaths + 1 END,"
                        + " owner = ?, epoch = epoch + 1, acquired_at = " + dialect.now() + " WHERE slot IN "
                        + InList.of(slots.size()),
                statement -> {
                    statement.setString(1, session);
                    bind(statement, 2, slots);
                });
        return rows.stream().map(row -> row.takenBy(session)).toList();
    }

    /** Frees every slot of a session. */
    void freeAll(Connection conn, String session) {
        Sql.update(
                conn,
                "free the slots of session " + session,
                "UPDATE " + tables.slot() + " SET owner = NULL, acquired_at = " + dialect.now() + " WHERE owner = ?",
                statement -> statement.setString(1, session));
    }

    /** Changes the number of slots, if every one is free, so that whoever owned one before is fenced. */
    boolean renumber(Connection conn, MetaRow meta, int partitions) {
        List<Row> rows = Sql.list(
                conn,
                "lock all slots",
                "SELECT " + COLUMNS + " FROM " + tables.slot() + " ORDER BY slot FOR UPDATE",
                OwnershipRows::read);
        NodeRows nodes = new NodeRows(dialect, tables);
        if (rows.stream().anyMatch(row -> row.owner() != null && nodes.lockIfAlive(conn, row.owner()))) {
            return false;
        }
        long epochMax = rows.stream().mapToLong(Row::epoch).max().orElse(0);
        int there = rows.size();
        IntStream.range(there, Math.max(there, partitions))
                .forEach(slot -> Sql.update(
                        conn,
                        "add slot " + slot,
                        "INSERT INTO " + tables.slot() + " (slot, epoch) VALUES (?, ?)",
                        statement -> {
                            statement.setInt(1, slot);
                            statement.setLong(2, epochMax);
                        }));
        Sql.update(
                conn,
                "free all slots",
                "UPDATE " + tables.slot() + " SET owner = NULL, deaths = 0, acquired_at = " + dialect.now()
                        + ", epoch = epoch + 1",
                statement -> {});
        meta.setPartitions(conn, partitions);
        new AuditRows(dialect, tables).add(conn, "catbox", "renumber", tables.event(), "to " + partitions);
        return true;
    }
}
