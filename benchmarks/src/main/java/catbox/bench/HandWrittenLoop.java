package catbox.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import outbox.spi.SettleRequest.DoneRows;

/**
 * Does the minimum that any relay has to do: SELECT from the position that it has reached, and one UPDATE or DELETE per
 * batch. It delivers nothing, keeps no order, has no fence, and would lose rows of transactions that commit late.
 */
public final class HandWrittenLoop {

    private static final int BATCH = 1_000;
    private static final int PARTITIONS = 6;

    private HandWrittenLoop() {}

    /**
     * The columns that it reads of an event.
     *
     * @param headers of a message in addition to its key and payload, by name; empty when they are not needed
     */
    public record Row(String id, String key, String payload, Map<String, String> headers) {

        public Row(String id, String key, String payload) {
            this(id, key, payload, Map.of());
        }
    }

    /** Processes a batch that was read. */
    public interface Step {
        void accept(List<Row> batch) throws SQLException, InterruptedException;
    }

    /** Drains the table and returns the nanoseconds that took. */
    static long drain(Bench bench, DoneRows doneRows) throws SQLException, InterruptedException {
        long began = System.nanoTime();
        try (Connection conn = bench.dataSource.getConnection();
                Settling settling = new Settling(conn, doneRows)) {
            read(conn, settling::settle);
        }
        return System.nanoTime() - began;
    }

    /** Reads partition after partition, each from the position that it has reached. */
    public static void read(Connection conn, Step step) throws SQLException, InterruptedException {
        read(conn, false, step);
    }

    /** The same, with headers or without. */
    static void read(Connection conn, boolean withHeaders, Step step) throws SQLException, InterruptedException {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            read(conn, partition, withHeaders, step);
        }
    }

    private static void read(Connection conn, int partition, boolean withHeaders, Step step)
            throws SQLException, InterruptedException {
        String select = "SELECT event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, ordering_key,"
                + " payload, payload_bytes, headers, attempts, occurred_at, created_at FROM outbox_event"
                + " WHERE key_hash % 6 = " + partition
                + " AND seq > ? AND status % 2 = 0 ORDER BY seq LIMIT (SELECT ?)";
        long position = 0;
        int read = BATCH;
        try (PreparedStatement reading = conn.prepareStatement(select)) {
            while (read == BATCH) {
                reading.setLong(1, position);
                reading.setInt(2, BATCH);
                List<Row> batch = new ArrayList<>(BATCH);
                try (ResultSet rows = reading.executeQuery()) {
                    while (rows.next()) {
                        batch.add(new Row(
                                rows.getString("event_id"),
                                rows.getString("ordering_key"),
                                rows.getString("payload"),
                                withHeaders ? headers(rows) : Map.of()));
                        position = rows.getLong("seq");
                    }
                }
                read = batch.size();
                if (read > 0) {
                    step.accept(batch);
                }
            }
        }
    }

    /** The headers that the relay sends too. */
    private static Map<String, String> headers(ResultSet rows) throws SQLException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("content-type", "application/json");
        headers.put("outbox-event-id", rows.getString("event_id"));
        headers.put("outbox-event-type", rows.getString("event_type"));
        headers.put("outbox-aggregate-type", rows.getString("aggregate_type"));
        headers.put("outbox-aggregate-id", rows.getString("aggregate_id"));
        headers.put(
                "outbox-occurred-at",
                rows.getObject("occurred_at", OffsetDateTime.class).toInstant().toString());
        headers.put("outbox-attempt", Integer.toString(rows.getInt("attempts") + 1));
        return headers;
    }

    /** Marks or removes delivered rows, a batch at a time. */
    public static final class Settling implements AutoCloseable {

        private final Connection conn;
        private final PreparedStatement statement;

        public Settling(Connection conn, DoneRows doneRows) throws SQLException {
            this.conn = conn;
            this.statement = conn.prepareStatement(
                    doneRows == DoneRows.DELETE
                            ? "DELETE FROM outbox_event WHERE event_id = ANY(?)"
                            : "UPDATE outbox_event SET status = 1, done_at = now(), last_attempt_at = now()"
                                    + " WHERE event_id = ANY(?)");
        }

        public void settle(List<Row> batch) throws SQLException {
            statement.setArray(
                    1, conn.createArrayOf("text", batch.stream().map(Row::id).toArray(String[]::new)));
            statement.executeUpdate();
        }

        @Override
        public void close() throws SQLException {
            statement.close();
        }
    }
}
