package catbox.cli.connection;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import outbox.spi.ConnectionProvider;

/**
 * Opens a new connection each time, because a command needs few. Loads only the driver that is needed;
 * {@link java.sql.DriverManager} would load all of them.
 */
record JdbcConnections(Target.Database database) implements ConnectionProvider {

    private static final String LOGIN_SECONDS = "10";

    @Override
    public Connection getConnection() throws SQLException {
        Properties properties = new Properties();
        if (!database.user().isEmpty()) {
            properties.setProperty("user", database.user());
        }
        database.password().ifPresent(password -> properties.setProperty("password", password.reveal()));
        if (database.url().startsWith("jdbc:postgresql:")) {
            properties.setProperty("loginTimeout", LOGIN_SECONDS);
            properties.setProperty("ApplicationName", "catbox");
        }
        Connection connection = driver().connect(database.url(), properties);
        if (connection == null) {
            throw new SQLException("no driver understands " + database.shown(), "08001");
        }
        return connection;
    }

    private Driver driver() throws SQLException {
        String name = name();
        try {
            return Class.forName(name)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new SQLException("the driver " + name + " cannot be loaded", "08001", e);
        }
    }

    private String name() {
        return switch (database.url().split(":", 3)[1]) {
            case "postgresql" -> "org.postgresql.Driver";
            case "mysql" -> "com.mysql.cj.jdbc.Driver";
            case "mariadb" -> "org.mariadb.jdbc.Driver";
            default -> "org.h2.Driver";
        };
    }
}
