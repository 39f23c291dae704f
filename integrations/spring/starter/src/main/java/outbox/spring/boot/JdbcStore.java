package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.jdbc.ReservedConnections;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import outbox.spi.ClaimStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.relay.WakeUpChannel;
import outbox.spring.boot.OutboxProperties.SchemaMode;

/** Stores events in tables behind a DataSource. */
record JdbcStore(DataSource dataSource, ConnectionProvider connections, TableNames tables, JdbcStores stores)
        implements OutboxStore {

    private static final Logger LOG = System.getLogger(JdbcStore.class.getName());

    /** Connections that are reserved for a relay's heartbeats, however busy the application's pool is. */
    private static final int REGISTRY_CONNECTIONS = 3;
    /** Cluster, poll and upkeep; two for wake-ups, one for the loop that is woken; retention. */
    private static final int OTHER_CONNECTIONS = 9;

    static JdbcStore of(ListableBeanFactory beans, OutboxProperties properties) {
        if (properties.mongoDatabase() != null) {
            throw new InvalidOutboxPropertiesException("outbox.mongo-database: is set, but the outbox is in tables;"
                    + " remove it, or set outbox.store to mongodb");
        }
        DataSource dataSource = choose(beans, properties.dataSource());
        ConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
        TableNames tables = ConfiguredRoutes.read("outbox.table", () -> new TableNames(properties.table()));
        return new JdbcStore(dataSource, connections, tables, new JdbcStores(connections, tables));
    }

    private static DataSource choose(ListableBeanFactory beans, @Nullable String name) {
        Map<String, DataSource> all = beans.getBeansOfType(DataSource.class);
        if (name != null) {
            DataSource named = all.get(name);
            if (named == null) {
                throw new InvalidOutboxPropertiesException("outbox.data-source: there is no DataSource bean named \""
                        + name + "\"; there are " + new TreeSet<>(all.keySet()));
            }
            return named;
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only == null) {
            throw new InvalidOutboxPropertiesException("outbox.data-source: there are several DataSource beans, "
                    + new TreeSet<>(all.keySet()) + ", and none is primary; name the one that has the outbox's tables");
        }
        return only;
    }

    /**
     * Checks or installs the tables, before anything is published.
     *
     * @throws SchemaException that describes the difference
     */
    JdbcStore prepared(SchemaMode mode) {
        SchemaInstaller installer = new SchemaInstaller(connections, tables);
        if (mode == SchemaMode.INSTALL) {
            installer.install();
        }
        if (mode != SchemaMode.NONE) {
            // The check follows an installation too: nothing is installed into tables that are newer than this library.
            installer.check();
        }
        return this;
    }

    @Override
    public String description() {
        return "table " + tables.event();
    }

    @Override
    public ClaimStore claims() {
        return stores.claims();
    }

    @Override
    public SettleStore settlements() {
        return stores.settlements();
    }

    @Override
    public RetentionStore retentionStore() {
        return stores.retention();
    }

    @Override
    public OwnedRelayStores relayStores(int workers, Duration nodeTimeout) {
        warnAboutASmallPool(workers);
        ReservedConnections reserved = new ReservedConnections(connections, REGISTRY_CONNECTIONS);
        return new OwnedRelayStores(stores.relay(reserved, nodeTimeout), reserved::close);
    }

    // The relay works with fewer, but then the application waits for connections that the relay holds.
    private void warnAboutASmallPool(int workers) {
        int wanted = workers + OTHER_CONNECTIONS;
        claims().connectionsMax().ifPresent(most -> {
            if (most < wanted) {
                LOG.log(
                        Level.WARNING,
                        "the pool has {0} connections, and the relay alone may use {1}; raise"
                                + " spring.datasource.hikari.maximum-pool-size, or lower outbox.relay.workers",
                        most,
                        wanted);
            }
        });
    }

    /** PostgreSQL can notify other processes of commits, if its own driver is on the class path. */
    @Override
    public WakeUpMethod wakeUpMethod() {
        try (Connection connection = connections.getConnection()) {
            boolean notifies = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
                    && ClassUtils.isPresent(
                            "org.postgresql.PGConnection", getClass().getClassLoader());
            return notifies ? WakeUpMethod.NOTIFY : WakeUpMethod.NONE;
        } catch (SQLException e) {
            throw new OutboxException("the database does not report its product name: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<WakeUpChannel> wakeUpChannel() {
        return wakeUpMethod() == WakeUpMethod.NONE
                ? Optional.empty()
                : Optional.of(new PostgresWakeUpChannel(connections, tables));
    }

    @Override
    public void requireReachable() {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement
                    .executeQuery("SELECT 1 FROM " + tables.event() + " WHERE 1 = 0")
                    .close();
        } catch (SQLException e) {
            throw new OutboxException("table " + tables.event() + " cannot be reached: " + e.getMessage(), e);
        }
    }
}
