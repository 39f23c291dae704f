package catbox.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcClusterAdmin;
import outbox.jdbc.SchemaInstaller;
import outbox.spi.ClusterAdmin;

/** The parent's look at the tables. */
final class Database implements AutoCloseable {

    private static final int CONNECTION_MILLIS_MAX = 1_000;

    private final HikariDataSource dataSource;

    Database(String jdbcUrl, String user) {
        this.dataSource = pool(jdbcUrl, user, 3);
    }

    /** A pool that does not wait long for a database that is gone. */
    static HikariDataSource pool(String jdbcUrl, String user, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(user);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECTION_MILLIS_MAX);
        return new HikariDataSource(config);
    }

    /** The tables of the outbox, and one row per key that serialises who writes to it. */
    void install(List<String> keys) throws SQLException {
        new SchemaInstaller(new DataSourceConnectionProvider(dataSource)).install();
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            statement.execute("CREATE TABLE chaos_key (key TEXT PRIMARY KEY, number BIGINT NOT NULL DEFAULT 0)");
            for (String key : keys) {
                statement.execute("INSERT INTO chaos_key (key) VALUES ('" + key + "')");
            }
        }
    }

    ClusterAdmin admin() {
        return new JdbcClusterAdmin(new DataSourceConnectionProvider(dataSource));
    }

    /** Everything that was committed, whoever knows of it. */
    List<History.Committed> committed() throws SQLException {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery("SELECT event_id, payload, status FROM outbox_event")) {
            List<History.Committed> all = new ArrayList<>();
            while (rows.next()) {
                Numbered event = Numbered.of(rows.getString(2));
                all.add(new History.Committed(rows.getString(1), event.key(), event.number(), rows.getInt(3)));
            }
            return all;
        }
    }

    /** The one number that a query gives; empty while the database cannot be reached. */
    OptionalLong number(String select) {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
        } catch (SQLException e) {
            return OptionalLong.empty();
        }
    }

    boolean is(String select, long wanted) {
        OptionalLong number = number(select);
        return number.isPresent() && number.getAsLong() == wanted;
    }

    /** Who waits for whom, for people who want to know why nothing goes on. */
    String describeSessions() {
        String select = "SELECT pid, state, wait_event, pg_blocking_pids(pid) AS blocked_by,"
                + " now() - xact_start AS transaction_age, client_port, left(query, 200) AS query FROM pg_stat_activity"
                + " WHERE datname IS NOT NULL ORDER BY xact_start";
        StringBuilder text = new StringBuilder();
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery(select)) {
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    text.append(rows.getString(i)).append(" | ");
                }
                text.append('\n');
            }
        } catch (SQLException e) {
            text.append(e);
        }
        return text.toString();
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
