package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.Finding;

/**
 * A look at one part of a database. That it fails is told, and keeps nobody from the looks that follow.
 *
 * @param at what is looked at, for people
 */
public record DiagnosisCheck(String at, Work work) {

    /** A fault may keep the database busy; whoever looks for faults does not wait for that. */
    private static final int SECONDS_MAX = 2;

    /** Looks, and says what is wrong there. */
    @FunctionalInterface
    interface Work {
        List<Finding> on(Connection conn) throws SQLException;
    }

    /** Every row of a statement with these parameters. */
    public static <T> List<T> query(Connection conn, String sql, Sql.Reading<T> reading, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            statement.setQueryTimeout(SECONDS_MAX);
            Sql.bind(statement, 1, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                return Sql.all(rows, reading);
            } finally {
                statement.setQueryTimeout(0); // H2 keeps it for whatever the connection does next.
            }
        }
    }

    /** Does what changes no row, to see whether it may be done. */
    public static void execute(Connection conn, String sql) throws SQLException {
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            statement.setQueryTimeout(SECONDS_MAX);
            try {
                statement.execute();
            } finally {
                statement.setQueryTimeout(0);
            }
        }
    }
}
