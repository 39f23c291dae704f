package outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.model.SlotHold;

/** Who owns which slot. Its methods are parts of a transaction that has the meta row locked. */
record SlotRows(Dialect dialect, TableNames tables) {

    /** A slot's row. */
    record Row(int slot, @Nullable String owner, long epoch) {}

    /** Locks a slot's row against takeovers; false when it is not held so. */
    boolean share(Connection conn, SlotHold hold) {
        String select = "SELECT epoch FROM " + tables.slot() + " WHERE slot = ? AND epoch = ? AND owner = ? "
                + dialect.shareLock();
        return !Sql.query(conn, "hold slot " + hold.slot(), select, statement -> bind(statement, 1, hold), Sql::strings)
                .isEmpty();
    }

    private static void bind(PreparedStatement statement, int first, SlotHold hold) throws SQLException {
        statement.setInt(first, hold.slot());
        statement.setLong(first + 1, hold.epoch());
        statement.setString(first + 2, hold.owner());
    }

    /** How many owners in a row had died when the slot was taken. */
    int deaths(Connection conn, SlotHold hold) {
        return Sql.query(
                conn,
                "read the deaths of slot " + hold.slot(),
                "SELECT deaths FROM " + tables.slot() + " WHERE slot = ? AND epoch = ? AND owner = ?",
                statement -> bind(statement, 1, hold),
                row -> row.next() ? row.getInt(1) : 0);
    }

    void forgetDeaths(Connection conn, SlotHold hold) {
        Sql.update(
                conn,
                "forget the deaths of slot " + hold.slot(),
                "UPDATE " + tables.slot() + " SET deaths = 0 WHERE slot = ? AND epoch = ? AND owner = ?",
                statement -> bind(statement, 1, hold));
    }

    /** Locks a slot's row and reads it; null when there is none, or when somebody is at it: then it is not free yet. */
    @Nullable
    Row lock(Connection conn, int slot) {
        List<Row> rows = Sql.query(
                conn,
                "lock slot " + slot,
                "SELECT slot, owner, epoch FROM " + tables.slot() + " WHERE slot = ? FOR UPDATE SKIP LOCKED",
                statement -> statement.setInt(1, slot),
                SlotRows::read);
        return rows.isEmpty() ? null : rows.get(0);
    }

    private static List<Row> read(ResultSet rows) throws SQLException {
        List<Row> all = new ArrayList<>();
        while (rows.next()) {
            all.add(new Row(rows.getInt("slot"), rows.getString("owner"), rows.getLong("epoch")));
        }
        return all;
    }

    /** Gives a slot to its next owner. One that was not given back belonged to an owner that has died. */
    void give(Connection conn, Row row, String session) {
        Sql.update(
                conn,
                "acquire slot " + row.slot(),
                "UPDATE " + tables.slot() + " SET owner = ?, epoch = ?, deaths = "
                        + (row.owner() == null ? "0" : "deaths + 1") + ", acquired_at = " + dialect.now()
                        + " WHERE slot = ?",
                statement -> {
                    statement.setString(1, session);
                    statement.setLong(2, row.epoch() + 1);
                    statement.setInt(3, row.slot());
                });
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
        List<Row> rows = Sql.query(
                conn,
                "lock all slots",
                "SELECT slot, owner, epoch FROM " + tables.slot() + " ORDER BY slot FOR UPDATE",
                statement -> {},
                SlotRows::read);
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
                "UPDATE " + tables.slot() + " SET owner = NULL, acquired_at = " + dialect.now() + ", epoch = epoch + 1",
                statement -> {});
        meta.setPartitions(conn, partitions);
        new AuditRows(dialect, tables).add(conn, "catbox", "renumber", tables.event(), "to " + partitions);
        return true;
    }
}
