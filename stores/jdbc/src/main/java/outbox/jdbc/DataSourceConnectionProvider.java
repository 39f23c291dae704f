package outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import javax.sql.DataSource;
import outbox.jdbc.internal.sql.PoolSize;
import outbox.spi.ConnectionProvider;

/** Connections from a DataSource. */
public final class DataSourceConnectionProvider implements ConnectionProvider {

    private final DataSource dataSource;

    public DataSourceConnectionProvider(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return dataSource.getConnection();
    }

    @Override
    public OptionalInt connectionsMax() {
        return PoolSize.of(dataSource);
    }
}
