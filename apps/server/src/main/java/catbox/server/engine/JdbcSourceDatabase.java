package catbox.server.engine;

import catbox.server.config.JdbcPlan;
import catbox.server.config.Login;
import catbox.server.config.SourcePlan;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import outbox.OutboxException;
import outbox.admin.AdminStores;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.jdbc.ReservedConnections;
import outbox.jdbc.SchemaInstaller;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** A pool of connections to a relational database, and the stores on it. */
final class JdbcSourceDatabase implements SourceDatabase {

    /** A relay uses at most three for its membership in the cluster. */
    private static final int MEMBERSHIP_CONNECTIONS = 3;

    private static final int IDLE_CONNECTIONS = 2;
    private static final int FIRST_VERSION = 1;

    private final SourcePlan plan;
    private final JdbcPlan jdbc;
    private final HikariDataSource pool;
    private final ConnectionProvider connections;
    private final ReservedConnections reserved;
    private final JdbcStores stores;

    private JdbcSourceDatabase(SourcePlan plan, JdbcPlan jdbc, HikariDataSource pool) {
        this.plan = plan;
        this.jdbc = jdbc;
        this.pool = pool;
        this.connections = new DataSourceConnectionProvider(pool);
        this.reserved = new ReservedConnections(connections, MEMBERSHIP_CONNECTIONS);
        this.stores = new JdbcStores(connections, jdbc.tables());
    }

    /**
     * Connects once before it creates a pool. A pool alone tries until its time-out, whatever the reason, and reports only
     * the time-out.
     */
    static JdbcSourceDatabase open(SourcePlan plan, JdbcPlan jdbc) {
        tryOnce(jdbc);
        Login login = jdbc.login();
        HikariConfig config = new HikariConfig();
        config.setPoolName("catbox-" + plan.name());
        config.setDriverClassName(jdbc.kind().driver());
        config.setJdbcUrl(login.url());
        if (!login.user().isEmpty()) {
            config.setUsername(login.user());
        }
        login.password().ifPresent(password -> config.setPassword(password.reveal()));
        config.setMaximumPoolSize(login.poolSize());
        config.setMinimumIdle(Math.min(IDLE_CONNECTIONS, login.poolSize()));
        config.setConnectionTimeout(login.connectTimeout().toMillis());
        config.setInitializationFailTimeout(-1);
        return new JdbcSourceDatabase(plan, jdbc, new HikariDataSource(config));
    }

    private static void tryOnce(JdbcPlan jdbc) {
        Login login = jdbc.login();
        Properties properties = new Properties();
        if (!login.user().isEmpty()) {
            properties.setProperty("user", login.user());
        }
        login.password().ifPresent(password -> properties.setProperty("password", password.reveal()));
        try {
            Class.forName(jdbc.kind().driver());
            DriverManager.setLoginTimeout(
                    (int) Math.max(1, login.connectTimeout().toSeconds()));
            DriverManager.getConnection(login.url(), properties).close();
        } catch (SQLException e) {
            throw new OutboxException(JdbcProblem.describe(jdbc, e), e);
        } catch (ClassNotFoundException e) {
            throw new OutboxException("there is no driver for " + jdbc.place(), e);
        }
    }

    @Override
    public void prepareTables() {
        SchemaInstaller installer = new SchemaInstaller(connections, jdbc.tables());
        if (plan.table().schema() == SourcePlan.Schema.CHECK) {
            SchemaAdvice.with(installer::check);
            return;
        }
        List<Integer> applied = installer.install();
        int partitions = plan.relay().config().terms().partitions();
        if (applied.contains(FIRST_VERSION)) {
            // No relay has used the new tables yet, so their number of partitions can be set.
            stores.clusterAdmin().changePartitions(partitions, "catbox-server");
        }
    }

    @Override
    public void check() {
        SchemaAdvice.with(() -> stores.requireLayout(plan.relay().config().terms()));
    }

    @Override
    public RelayStores stores() {
        return stores.relay(reserved, plan.relay().config().cluster().timeout());
    }

    @Override
    public WakeUpChannel wakeUpChannel() {
        return new PostgresWakeUpChannel(connections, jdbc.tables());
    }

    @Override
    public AdminStores adminStores() {
        return new AdminStores(
                stores.operations(),
                stores.clusterAdmin(),
                stores.statistics(),
                stores.retention(),
                stores.diagnosis());
    }

    @Override
    public List<Finding> findings() {
        HikariPoolMXBean figures = pool.getHikariPoolMXBean();
        int waiting = figures == null ? 0 : figures.getThreadsAwaitingConnection();
        return waiting == 0
                ? List.of()
                : List.of(Finding.warning(
                        FindingCode.POOL_TOO_SMALL,
                        "The pool of connections is exhausted",
                        "connections in use: " + figures.getActiveConnections() + " of " + pool.getMaximumPoolSize()
                                + ", threads that wait for one: " + waiting,
                        "If that lasts, raise pool-size of the source, and see whether the database is slow or a"
                                + " transaction holds locks."));
    }

    @Override
    public void probe(int seconds) {
        try (Connection connection = pool.getConnection()) {
            if (!connection.isValid(seconds)) {
                throw new OutboxException(jdbc.place() + " does not answer");
            }
        } catch (SQLException e) {
            throw new OutboxException(JdbcProblem.describe(jdbc, e), e);
        }
    }

    @Override
    public void close() {
        reserved.close();
        pool.close();
    }
}
