package catbox.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import outbox.model.SettleRequest.DoneRows;

/**
 * The least that any relay has to do: SELECT from where it has read to, and one UPDATE or DELETE per batch. It delivers
 * nothing, keeps no order, fences nothing, and would lose what commits late.
 */
final class HandWrittenLoop {

    private static final int BATCH = 1_000;
    private static final int PARTITIONS = 6;

    private HandWrittenLoop() {}

    /** Drains the table and returns how many nanoseconds that took. */
    static long drain(Bench bench, DoneRows doneRows) throws SQLException {
        String settle = doneRows == DoneRows.DELETE
                ? "DELETE FROM outbox_event WHERE event_id = ANY(?)"
                : "UPDATE outbox_event SET status = 1, done_at = now(), last_attempt_at = now()"
                        + " WHERE event_id = ANY(?)";
        long began = System.nanoTime();
        try (Connection conn = bench.dataSource.getConnection()) {
            for (int slot = 0; slot < PARTITIONS; slot++) {
                drain(conn, slot, settle);
            }
        }
        return System.nanoTime() - began;
    }

    private static void drain(Connection conn, int slot, String settle) throws SQLException {
        String select = "SELECT event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, ordering_key,"
                + " payload, payload_bytes, headers, attempts, occurred_at, created_at FROM outbox_event"
                + " WHERE key_hash % 6 = " + slot + " AND (key_hash % 6, seq) > (" + slot
                + ", ?) AND status % 2 = 0 ORDER BY seq LIMIT (SELECT ?)";
        long position = 0;
        int read = BATCH;
        try (PreparedStatement reading = conn.prepareStatement(select);
                PreparedStatement settling = conn.prepareStatement(settle)) {
            while (read == BATCH) {
                reading.setLong(1, position);
                reading.setInt(2, BATCH);
                String[] ids = new String[BATCH];
                read = 0;
                try (ResultSet rows = reading.executeQuery()) {
                    while (rows.next()) {
                        ids[read++] = rows.getString("event_id");
                        position = rows.getLong("seq");
                        rows.getString("payload");
                        rows.getString("ordering_key");
                        rows.getString("event_type");
                    }
                }
                settling.setArray(1, conn.createArrayOf("text", Arrays.copyOf(ids, read)));
                settling.executeUpdate();
            }
        }
    }
}
