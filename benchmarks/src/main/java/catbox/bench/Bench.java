package catbox.bench;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.spi.HotPath;

/** A separate PostgreSQL server with fsync on, and the application's connections to it. */
final class Bench implements AutoCloseable {

    private final @Nullable DatabaseServer server;
    final HikariDataSource dataSource;
    final ThreadLocalTxContext context = new ThreadLocalTxContext();
    final JdbcTransactionManager transactions;

    Bench() throws SQLException {
        this("bench", 40);
    }

    Bench(String database, int connections) throws SQLException {
        this(
                DevServices.postgres(),
                DevServices.postgres().createDatabase(database),
                DevServices.postgres().user(),
                connections);
    }

    private Bench(@Nullable DatabaseServer server, String url, String user, int connections) throws SQLException {
        this.server = server;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setMaximumPoolSize(connections);
        this.dataSource = new HikariDataSource(config);
        DataSourceConnectionProvider provider = new DataSourceConnectionProvider(dataSource);
        this.transactions = new JdbcTransactionManager(provider, context);
        new SchemaInstaller(provider).install();
        execute(
                "CREATE TABLE IF NOT EXISTS orders (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, no BIGINT, item TEXT)");
    }

    /** Uses a database of a server that the caller starts and stops. */
    static Bench of(String url, String user) throws SQLException {
        return new Bench(null, url, user, 4);
    }

    OutboxClient storeOnly() {
        return OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
    }

    OutboxClient publishing(HotPath hotPath) {
        return new OutboxClient(new JdbcOutboxRepository().publisher(context), hotPath);
    }

    /** Empties the tables, so that no variant is affected by the rows of the previous one. */
    void empty() throws SQLException {
        execute("TRUNCATE orders, outbox_event");
    }

    /** Restarts the server with other settings, such as {@code shared_buffers = '1GB'}. */
    void restartWith(String... settings) throws SQLException {
        for (String setting : settings) {
            execute("ALTER SYSTEM SET " + setting);
        }
        Objects.requireNonNull(server).stop();
        server.start();
        dataSource.getHikariPoolMXBean().softEvictConnections();
    }

    void execute(String sql) throws SQLException {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
