package catbox.verification;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The record that listeners keep of their deliveries, by the database's clock, which all processes share. */
final class Deliveries implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HikariDataSource dataSource;

    /** One call of a listener; micros of the database's clock. */
    record Delivery(String eventId, String key, String instance, long startedAt, long endedAt) {}

    Deliveries(String jdbcUrl, String user) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(user);
        config.setMaximumPoolSize(20);
        this.dataSource = new HikariDataSource(config);
    }

    HikariDataSource dataSource() {
        return dataSource;
    }

    void createTable() {
        execute("CREATE TABLE delivery (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id VARCHAR(36),"
                + " event_key VARCHAR(255), instance VARCHAR(10), started_at TIMESTAMPTZ, ended_at TIMESTAMPTZ)");
    }

    long started(String eventId, String key, String instance) throws SQLException {
        try (Connection conn = dataSource.getConnection();
                PreparedStatement insert =
                        conn.prepareStatement("INSERT INTO delivery (event_id, event_key, instance, started_at)"
                                + " VALUES (?, ?, ?, clock_timestamp()) RETURNING id")) {
            insert.setString(1, eventId);
            insert.setString(2, key);
            insert.setString(3, instance);
            try (ResultSet row = insert.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    void ended(long id) throws SQLException {
        try (Connection conn = dataSource.getConnection();
                PreparedStatement update =
                        conn.prepareStatement("UPDATE delivery SET ended_at = clock_timestamp() WHERE id = ?")) {
            update.setLong(1, id);
            update.executeUpdate();
        }
    }

    List<Delivery> all() {
        String select = "SELECT event_id, event_key, instance, (extract(epoch FROM started_at) * 1000000)::bigint,"
                + " coalesce((extract(epoch FROM ended_at) * 1000000)::bigint, " + Long.MAX_VALUE + ")"
                + " FROM delivery ORDER BY started_at, id";
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery(select)) {
            List<Delivery> all = new ArrayList<>();
            while (rows.next()) {
                all.add(new Delivery(
                        rows.getString(1), rows.getString(2), rows.getString(3), rows.getLong(4), rows.getLong(5)));
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    long number(String select) {
        return Long.parseLong(text(select));
    }

    String text(String select) {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(select, e);
        }
    }

    void execute(String sql) {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Waits for a state of the database, which needs the processor too. */
    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    void awaitAllDone() {
        await("every event done", () -> number("SELECT count(*) FROM outbox_event WHERE status <> 1") == 0);
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
