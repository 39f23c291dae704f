package outbox.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import outbox.jdbc.internal.dialect.Dialect;

/** One statement with its parameters, its result, and its failure told in the outbox's words. */
public final class Sql {

    private Sql() {}

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    public interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /** Makes something of the rows. */
    @FunctionalInterface
    public interface Reading<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Makes something of one row. */
    @FunctionalInterface
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** The first column of every row. */
    public static List<String> strings(ResultSet rows) throws SQLException {
        return all(rows, row -> row.getString(1));
    }

    /** What is made of every row. */
    public static <T> List<T> all(ResultSet rows, Row<T> row) throws SQLException {
        List<T> all = new ArrayList<>();
        while (rows.next()) {
            all.add(row.read(rows));
        }
        return all;
    }

    public static int update(Connection conn, String attempted, String sql, Binding binding) {
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            binding.bind(statement);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw SqlFailure.of(attempted, e);
        }
    }

    /** Deletes the rows of these events from a table that stands beside the event table. */
    public static void deleteByEvent(Connection conn, String table, List<String> eventIds) {
        if (!eventIds.isEmpty()) {
            update(
                    conn,
                    "delete from " + table,
                    "DELETE FROM " + table + " WHERE event_id IN " + InList.of(eventIds.size()),
                    statement -> InList.bind(statement, 1, eventIds));
        }
    }

    /** As {@link #query}, behind a {@linkplain Dialect#preferIndexes preface}. */
    public static <T> T query(
            String preface, Connection conn, String attempted, String sql, Binding binding, Reading<T> reading) {
        try (PreparedStatement statement = conn.prepareStatement(preface + sql)) {
            binding.bind(statement);
            try (ResultSet rows = rows(preface, statement)) {
                return reading.read(rows);
            }
        } catch (SQLException e) {
            throw SqlFailure.of(attempted, e);
        }
    }

    /** The rows of a query behind its preface. */
    public static ResultSet rows(String preface, PreparedStatement statement) throws SQLException {
        execute(preface, statement);
        return statement.getResultSet();
    }

    /** How many rows an update behind its preface has changed. */
    public static int updated(String preface, PreparedStatement statement) throws SQLException {
        execute(preface, statement);
        return statement.getUpdateCount();
    }

    private static void execute(String preface, PreparedStatement statement) throws SQLException {
        statement.execute();
        if (!preface.isEmpty()) {
            statement.getMoreResults();
        }
    }

    public static <T> T query(Connection conn, String attempted, String sql, Binding binding, Reading<T> reading) {
        return query("", conn, attempted, sql, binding, reading);
    }

    /** Every row of a query. */
    public static <T> List<T> list(Connection conn, String attempted, String sql, Binding binding, Row<T> row) {
        return query(conn, attempted, sql, binding, rows -> all(rows, row));
    }

    /** Every row of a query without parameters. */
    public static <T> List<T> list(Connection conn, String attempted, String sql, Row<T> row) {
        return list(conn, attempted, sql, statement -> {}, row);
    }
}
