package catbox.bench.own;

import catbox.bench.contender.Business;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Place;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import outbox.internal.KeyHash;
import outbox.internal.Ulids;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.SchemaInstaller;

/** Catbox's table, which the hand-written loops use too. The type of an event is its topic. */
record OutboxTable(HikariDataSource dataSource, String topic) implements AutoCloseable {

    private static final String HOT_KEY = "key-hot";

    OutboxTable(Place place) throws SQLException {
        this(Business.dataSource(place), place.topic().name());
        new SchemaInstaller(new DataSourceConnectionProvider(dataSource)).install();
    }

    void clear() throws SQLException {
        Business.execute(dataSource, "TRUNCATE outbox_event, outbox_attempt, orders");
    }

    void append(EventPlan plan) throws SQLException {
        Business.transaction(dataSource, conn -> write(conn, plan));
    }

    private void write(Connection conn, EventPlan plan) throws SQLException {
        writeKeys(conn, plan);
        // The same payload as Event creates, generated in the database: transferring a million would take long.
        try (PreparedStatement insert = conn.prepareStatement(
                "INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, ordering_key,"
                        + " key_hash, payload, status, occurred_at, available_at, created_at)"
                        + " SELECT lpad((? + i)::text, 26, '0'), ?, 'Order', k.key, k.key, k.hash,"
                        + " rpad('{\"no\":\"#' || (? + i) || '#\",\"text\":\"', ?, 'x') || '\"}', 0, now(), now(), now()"
                        + " FROM generate_series(0, ?) i"
                        + " JOIN some_keys k ON k.n = CASE WHEN i % 100 < ? THEN -1 ELSE i % ? END ORDER BY i")) {
            insert.setLong(1, plan.firstNumber());
            insert.setString(2, topic);
            insert.setLong(3, plan.firstNumber());
            insert.setInt(4, plan.bytes() - 2);
            insert.setInt(5, plan.events() - 1);
            insert.setInt(6, plan.hotPercent());
            insert.setInt(7, plan.keys());
            insert.executeUpdate();
        }
    }

    private static void writeKeys(Connection conn, EventPlan plan) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            statement.execute("CREATE TEMP TABLE some_keys (n INT PRIMARY KEY, key TEXT, hash INT) ON COMMIT DROP");
        }
        try (PreparedStatement insert = conn.prepareStatement("INSERT INTO some_keys VALUES (?, ?, ?)")) {
            for (int i = -1; i < plan.keys(); i++) {
                String key = i < 0 ? HOT_KEY : "key-" + i;
                insert.setInt(1, i);
                insert.setString(2, key);
                insert.setInt(3, KeyHash.of(key));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** A hand-written INSERT. */
    void insert(Connection conn, Event event) throws SQLException {
        try (PreparedStatement insert = conn.prepareStatement(
                "INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, ordering_key, key_hash,"
                        + " payload, status, occurred_at, available_at, created_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, 0, now(), now(), now())")) {
            insert.setString(1, Ulids.SYSTEM.next());
            insert.setString(2, topic);
            insert.setString(3, "Order");
            insert.setString(4, event.key());
            insert.setString(5, event.key());
            insert.setInt(6, KeyHash.of(event.key()));
            insert.setString(7, event.payload());
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
