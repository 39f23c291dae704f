package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * A check of one part of a database. One that fails is reported, and the checks that follow run all the same.
 *
 * @param subject what is checked, for people
 */
public record DiagnosisCheck(String subject, Work work) {

    /** A fault may keep the database busy; a diagnosis does not wait for that. */
    private static final int SECONDS_MAX = 2;

    @FunctionalInterface
    interface Work {
        List<Finding> findings(Connection conn) throws SQLException;
    }

    /** A warning if there is any evidence. */
    static List<Finding> warning(FindingCode code, String title, List<String> evidence, String advice) {
        return evidence.isEmpty()
                ? List.of()
                : List.of(Finding.warning(code, title, String.join("; ", evidence), advice));
    }

    /** Every row of a query. */
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

    /** Executes a statement that changes no row, to see whether it is permitted. */
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
