package outbox.jdbc;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import catbox.devservices.MySqlServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** A database of a test class's own, on a real server, with a pool of connections to it. */
public final class TestDatabase implements AutoCloseable {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final HikariDataSource dataSource;

    private TestDatabase(String url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        this.dataSource = new HikariDataSource(config);
    }

    public static TestDatabase h2() {
        return new TestDatabase("jdbc:h2:mem:" + nextName() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    public static TestDatabase postgres() {
        return on(DevServices.postgres());
    }

    static TestDatabase mariaDb() {
        return on(DevServices.mariaDb());
    }

    static TestDatabase mySql() {
        requireMySql();
        return on(DevServices.mySql());
    }

    /** MySQL comes from a distribution's packages and cannot be had everywhere; where it cannot, that is said aloud. */
    static void requireMySql() {
        Optional<String> reason = MySqlServer.unavailableReason();
        reason.ifPresent(why -> System.out.println("\n*** SKIPPED: no test runs on MySQL here. " + why + " ***\n"));
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
    }

    static TestDatabase on(DatabaseServer server) {
        return new TestDatabase(server.createDatabase(nextName()), server.user(), server.password());
    }

    private static String nextName() {
        return "outbox_" + COUNTER.incrementAndGet();
    }

    public HikariDataSource dataSource() {
        return dataSource;
    }

    public DataSourceConnectionProvider connections() {
        return new DataSourceConnectionProvider(dataSource);
    }

    /** The database's name for itself. */
    String product() {
        try (Connection conn = dataSource.getConnection()) {
            return conn.getMetaData().getDatabaseProductName();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public void execute(String sql) {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
