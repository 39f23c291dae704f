package catbox.bench.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The business transaction that all contenders share: one insert into a table of orders. */
public final class Business {

    /** The most connections that any contender uses at once, so that none waits for one. */
    public static final int CONNECTIONS = 24;

    private Business() {}

    /** Opens a pool of connections, and creates the table of orders. */
    public static HikariDataSource dataSource(Place place) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(place.database().url());
        config.setUsername(place.database().user());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        HikariDataSource dataSource = new HikariDataSource(config);
        execute(dataSource, "CREATE TABLE IF NOT EXISTS orders (no BIGINT, item TEXT)");
        return dataSource;
    }

    public static void insertOrder(Connection conn, long number) throws SQLException {
        try (PreparedStatement insert = conn.prepareStatement("INSERT INTO orders (no, item) VALUES (?, ?)")) {
            insert.setLong(1, number);
            insert.setString(2, "a pound of coffee and a box of biscuits");
            insert.executeUpdate();
        }
    }

    /** The work within a transaction. */
    public interface Work {
        void run(Connection conn) throws SQLException;
    }

    /** Runs the work in a manually managed transaction. */
    public static void transaction(DataSource dataSource, Work work) throws SQLException {
        try (Connection conn = dataSource.getConnection()) {
            conn.setAutoCommit(false);
            try {
                work.run(conn);
                conn.commit();
            } catch (SQLException | RuntimeException e) {
                conn.rollback();
                throw e;
            } finally {
                conn.setAutoCommit(true);
            }
        }
    }

    public static void execute(DataSource dataSource, String... statements) throws SQLException {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
