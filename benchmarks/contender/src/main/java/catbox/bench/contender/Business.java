package catbox.bench.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The business that all contenders have: one insert into a table of orders. */
public final class Business {

    /** As many as any contender uses at once; none may wait for one. */
    public static final int CONNECTIONS = 24;

    private Business() {}

    /** A pool of connections, and the table of orders. */
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

    /** What is done within a transaction. */
    public interface Work {
        void run(Connection conn) throws SQLException;
    }

    /** A transaction by hand. */
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
