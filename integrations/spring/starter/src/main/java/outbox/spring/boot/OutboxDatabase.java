package outbox.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import outbox.OutboxException;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.TableNames;
import outbox.spi.ConnectionProvider;
import outbox.spi.DispatchStore;
import outbox.spi.JdbcDispatchStore;

/** The database that has the outbox, and the names of its tables. */
record OutboxDatabase(DataSource dataSource, ConnectionProvider connections, TableNames tables) {

    static OutboxDatabase of(ListableBeanFactory beans, OutboxProperties properties) {
        DataSource dataSource = choose(beans, properties.dataSource());
        return new OutboxDatabase(
                dataSource, new DataSourceConnectionProvider(dataSource), tableNames(properties.table()));
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

    private static TableNames tableNames(String event) {
        try {
            return new TableNames(event);
        } catch (IllegalArgumentException e) {
            throw new InvalidOutboxPropertiesException("outbox.table: " + e.getMessage(), e);
        }
    }

    DispatchStore dispatchStore() {
        return new JdbcDispatchStore(connections, new JdbcOutboxRepository(tables));
    }

    /** Whether it can tell other processes of commits, and the driver is there to do so. */
    boolean hasWakeUps() {
        try (Connection connection = connections.getConnection()) {
            return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
                    && ClassUtils.isPresent(
                            "org.postgresql.PGConnection", getClass().getClassLoader());
        } catch (SQLException e) {
            throw new OutboxException("the database does not say what it is: " + e.getMessage(), e);
        }
    }
}
