package catbox.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import outbox.internal.KeyHash;

/** Committed events that wait to be delivered, written as fast as the database accepts them. */
record Backlog(int events, int keys, int payloadBytes) {

    static final Backlog USUAL = new Backlog(50_000, 1_000, 500);

    Backlog of(int count) {
        return new Backlog(count, keys, payloadBytes);
    }

    /** Empties and fills the table, then waits for the database's background work. */
    void write(Bench bench) throws SQLException {
        bench.execute("TRUNCATE outbox_event, outbox_attempt");
        append(bench, "key-", 0);
        bench.execute("VACUUM (ANALYZE) outbox_event");
        bench.execute("CHECKPOINT");
    }

    /** Adds events of keys with this prefix, with ids from the given number on. */
    void append(Bench bench, String keyPrefix, int firstId) throws SQLException {
        try (Connection conn = bench.dataSource.getConnection()) {
            conn.setAutoCommit(false);
            try (Statement statement = conn.createStatement()) {
                statement.execute("CREATE TEMP TABLE some_keys (n INT PRIMARY KEY, key TEXT, hash INT) ON COMMIT DROP");
            }
            try (PreparedStatement insert = conn.prepareStatement("INSERT INTO some_keys VALUES (?, ?, ?)")) {
                for (int i = 0; i < keys; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, keyPrefix + i);
                    insert.setInt(3, KeyHash.of(keyPrefix + i));
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            try (PreparedStatement insert = conn.prepareStatement(
                    "INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, ordering_key,"
                            + " key_hash, payload, status, occurred_at, available_at, created_at)"
                            + " SELECT lpad((? + i)::text, 26, '0'), 'OrderPlaced', 'Order', k.key, k.key, k.hash,"
                            + " '{\"x\":\"' || repeat('p', ?) || '\"}', 0, now(), now(), now()"
                            + " FROM generate_series(1, ?) i JOIN some_keys k ON k.n = i % ? ORDER BY i")) {
                insert.setInt(1, firstId);
                insert.setInt(2, payloadBytes);
                insert.setInt(3, events);
                insert.setInt(4, keys);
                insert.executeUpdate();
            }
            conn.commit();
            conn.setAutoCommit(true);
        }
    }

    static long pending(Bench bench) throws SQLException {
        try (Connection conn = bench.dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM outbox_event WHERE status IN (0, 2)")) {
            row.next();
            return row.getLong(1);
        }
    }
}
