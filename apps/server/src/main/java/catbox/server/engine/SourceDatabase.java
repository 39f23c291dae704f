package catbox.server.engine;

import catbox.server.config.DatabasePlan;
import catbox.server.config.SourcePlan;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcClusterAdmin;
import outbox.jdbc.JdbcClusterStore;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcRelayStore;
import outbox.jdbc.JdbcRetentionStore;
import outbox.jdbc.JdbcStatisticsStore;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.jdbc.ReservedConnections;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import outbox.relay.RelayNode;
import outbox.spi.ConnectionProvider;
import outbox.spi.JdbcDispatchStore;
import outbox.spi.RetentionStore;
import outbox.spi.StatisticsStore;
import outbox.spi.WakeUpChannel;

/** The connections to a source's database, and the stores on them. */
public final class SourceDatabase implements AutoCloseable {

    /** A relay's registry uses three at most. */
    private static final int REGISTRY_CONNECTIONS = 3;

    private static final int IDLE_CONNECTIONS = 2;
    private static final int FIRST_VERSION = 1;

    private final SourcePlan plan;
    private final HikariDataSource pool;
    private final ConnectionProvider connections;
    private final ReservedConnections reserved;

    private SourceDatabase(SourcePlan plan, HikariDataSource pool) {
        this.plan = plan;
        this.pool = pool;
        this.connections = new DataSourceConnectionProvider(pool);
        this.reserved = new ReservedConnections(connections, REGISTRY_CONNECTIONS);
    }

    /**
     * Connects once, and then makes a pool. A pool alone would try until its time is over, whatever the reason, and then
     * speak of a time-out.
     *
     * @throws OutboxException that says what is wrong and what to do about it
     */
    public static SourceDatabase open(SourcePlan plan) {
        DatabasePlan database = plan.database();
        tryOnce(database);
        HikariConfig config = new HikariConfig();
        config.setPoolName("catbox-" + plan.name());
        config.setDriverClassName(database.kind().driver());
        config.setJdbcUrl(database.url());
        if (!database.user().isEmpty()) {
            config.setUsername(database.user());
        }
        database.password().ifPresent(password -> config.setPassword(password.reveal()));
        config.setMaximumPoolSize(database.poolSize());
        config.setMinimumIdle(Math.min(IDLE_CONNECTIONS, database.poolSize()));
        config.setConnectionTimeout(database.connectTimeout().toMillis());
        config.setInitializationFailTimeout(-1);
        return new SourceDatabase(plan, new HikariDataSource(config));
    }

    private static void tryOnce(DatabasePlan database) {
        Properties login = new Properties();
        if (!database.user().isEmpty()) {
            login.setProperty("user", database.user());
        }
        database.password().ifPresent(password -> login.setProperty("password", password.reveal()));
        try {
            Class.forName(database.kind().driver());
            DriverManager.setLoginTimeout(
                    (int) Math.max(1, database.connectTimeout().toSeconds()));
            DriverManager.getConnection(database.url(), login).close();
        } catch (SQLException e) {
            throw new OutboxException(DatabaseProblem.words(database, e), e);
        } catch (ClassNotFoundException e) {
            throw new OutboxException("there is no driver for " + database.place(), e);
        }
    }

    /**
     * Sees to it that the tables are as they have to be.
     *
     * @throws outbox.SchemaException when they are not, and the plan says to leave them alone
     */
    public void prepareTables() {
        SchemaInstaller installer = new SchemaInstaller(connections, tables());
        if (plan.table().schema() == SourcePlan.Schema.CHECK) {
            advised(installer::check);
            return;
        }
        List<Integer> applied = installer.install();
        int partitions = plan.relay().config().terms().partitions();
        if (applied.contains(FIRST_VERSION)) {
            // Tables that have just been made are nobody's yet, so the number is ours to choose.
            new JdbcClusterAdmin(connections, tables()).changePartitions(partitions, "catbox-server");
        }
    }

    /**
     * Looks whether a relay with this plan could work here, and changes nothing.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.RelayTermsException when the table is worked on other terms
     */
    public void check() {
        advised(() -> registry().check(plan.relay().config().terms()));
    }

    // The library tells applications what to call; whoever runs the server has a setting for it.
    private static void advised(Runnable check) {
        try {
            check.run();
        } catch (SchemaException e) {
            throw new SchemaException(
                    e.getMessage() + " With the setting schema: install the server does so at its start.");
        }
    }

    public RelayNode.Stores stores() {
        return new RelayNode.Stores(
                new JdbcRelayStore(connections, tables()),
                registry(),
                new JdbcDispatchStore(connections, new JdbcOutboxRepository(tables())));
    }

    /** On connections of its own. */
    private JdbcClusterStore registry() {
        return new JdbcClusterStore(reserved, tables());
    }

    public WakeUpChannel wakeUpChannel() {
        return new PostgresWakeUpChannel(connections, tables());
    }

    public RetentionStore retentionStore() {
        return new JdbcRetentionStore(connections, tables());
    }

    public StatisticsStore statisticsStore() {
        return new JdbcStatisticsStore(connections, tables());
    }

    /**
     * Asks the database for a sign of life.
     *
     * @throws OutboxException that says what is wrong
     */
    public void probe(int seconds) {
        try (Connection connection = pool.getConnection()) {
            if (!connection.isValid(seconds)) {
                throw new OutboxException(plan.database().place() + " does not answer");
            }
        } catch (SQLException e) {
            throw new OutboxException(DatabaseProblem.words(plan.database(), e), e);
        }
    }

    private TableNames tables() {
        return plan.table().names();
    }

    @Override
    public void close() {
        reserved.close();
        pool.close();
    }
}
