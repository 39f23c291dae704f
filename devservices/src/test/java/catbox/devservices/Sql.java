package catbox.devservices;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A client of one database, with a new connection for each call. */
record Sql(DatabaseServer server, String url) {

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, server.user(), server.password());
    }

    long number(String query) throws SQLException {
        try (Connection connection = connect()) {
            return number(connection, query);
        }
    }

    static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
