package outbox.spring;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.SchemaInstaller;

/** A database with the outbox's tables and one business table, on the shared PostgreSQL. */
final class TestDatabase implements AutoCloseable {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    final HikariDataSource dataSource;

    TestDatabase() {
        DatabaseServer server = DevServices.postgres();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.createDatabase("spring_" + COUNTER.incrementAndGet()));
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(5);
        this.dataSource = new HikariDataSource(config);
        new SchemaInstaller(new DataSourceConnectionProvider(dataSource)).install();
        execute("CREATE TABLE business (id BIGINT PRIMARY KEY)");
    }

    private void execute(String sql) {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    void empty() {
        execute("DELETE FROM outbox_event");
        execute("DELETE FROM business");
    }

    /** Returns the types of the stored events, in the order in which they were stored. */
    List<String> stored() {
        return column("SELECT event_type FROM outbox_event ORDER BY seq");
    }

    List<String> business() {
        return column("SELECT id FROM business ORDER BY id");
    }

    private List<String> column(String sql) {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
