package catbox.devservices;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/** Any of the database servers. */
final class ChildDatabase extends ChildServer implements DatabaseServer {

    private static final Pattern DATABASE_NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    private final DatabaseEngine engine;
    private final Login login;

    /**
     * How a client logs in. The password is always empty.
     *
     * @param jdbcScheme the text between {@code jdbc:} and the address
     * @param database a database that exists from the start
     */
    record Login(String jdbcScheme, String user, String database) {}

    ChildDatabase(Blueprint blueprint, ServerFolder folder, DatabaseEngine engine, Login login) {
        super(blueprint, folder);
        this.engine = engine;
        this.login = login;
    }

    @Override
    public String jdbcUrl() {
        return jdbcUrl(login.database());
    }

    @Override
    public String jdbcUrl(String database) {
        return "jdbc:" + login.jdbcScheme() + "://127.0.0.1:" + port() + "/" + database;
    }

    @Override
    public String user() {
        return login.user();
    }

    @Override
    public String password() {
        return "";
    }

    @Override
    public String createDatabase(String name) {
        if (!DATABASE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Database name '" + name + "' does not match " + DATABASE_NAME);
        }
        // The caller provides the driver: loading it at run time keeps drivers out of this module's dependencies.
        try (Connection connection = DriverManager.getConnection(jdbcUrl(), user(), password());
                Statement statement = connection.createStatement()) {
            statement.execute(engine.createDatabaseStatement(name));
            return jdbcUrl(name);
        } catch (SQLException e) {
            throw new DevServerException("Cannot create database " + name + " on " + this + ": " + e.getMessage(), e);
        }
    }
}
