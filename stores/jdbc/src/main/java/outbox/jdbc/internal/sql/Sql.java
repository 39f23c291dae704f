package outbox.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.Dialect;

/**
 * Runs one statement and names what failed. A parameter that is a list stands for one parameter for each of its elements.
 */
public final class Sql {

    /** Far enough for any delay, and within what every database adds to a date. */
    private static final Duration DURATION_MAX = Duration.ofDays(36_500);

    private Sql() {}

    /** The microseconds of a duration, a century at most. */
    public static long micros(Duration duration) {
        return (duration.compareTo(DURATION_MAX) > 0 ? DURATION_MAX : duration).toNanos() / 1_000;
    }

    /** A list of parameters in parentheses. */
    public static String placeholders(int size) {
        return "(" + repeated("?", size, ", ") + ")";
    }

    public static String repeated(String part, int times, String separator) {
        return String.join(separator, Collections.nCopies(times, part));
    }

    /** The values in lists of at most this size. */
    public static <T> List<List<T>> chunks(List<T> values, int size) {
        return IntStream.iterate(0, from -> from < values.size(), from -> from + size)
                .mapToObj(from -> values.subList(from, Math.min(values.size(), from + size)))
                .toList();
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    public interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /** Reads one row, or all of them. */
    @FunctionalInterface
    public interface Reading<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** The first column of every row. */
    public static List<String> strings(ResultSet rows) throws SQLException {
        return all(rows, row -> row.getString(1));
    }

    public static <T> List<T> all(ResultSet rows, Reading<T> row) throws SQLException {
        List<T> all = new ArrayList<>();
        while (rows.next()) {
            all.add(row.read(rows));
        }
        return all;
    }

    /** Sets parameters from the given index on, and returns the index behind the last. */
    public static int bind(PreparedStatement statement, int from, @Nullable Object... parameters) throws SQLException {
        int at = from;
        for (Object parameter : parameters) {
            if (parameter instanceof List<?> list) {
                at = bind(statement, at, list.toArray());
            } else {
                statement.setObject(at++, parameter);
            }
        }
        return at;
    }

    private static Binding binding(@Nullable Object... parameters) {
        return statement -> bind(statement, 1, parameters);
    }

    public static int update(Connection conn, String attempted, String sql, Binding binding) {
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            binding.bind(statement);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw SqlFailure.of(attempted, e);
        }
    }

    public static int update(Connection conn, String attempted, String sql, @Nullable Object... parameters) {
        return update(conn, attempted, sql, binding(parameters));
    }

    /** Deletes the rows of these events from the event table or from one that stands next to it. */
    public static int deleteByEvent(Connection conn, String table, List<String> eventIds) {
        String delete = "DELETE FROM " + table + " WHERE event_id IN " + Sql.placeholders(eventIds.size());
        return eventIds.isEmpty() ? 0 : update(conn, "delete from " + table, delete, eventIds);
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

    /** Every row of a query behind its preface. */
    public static <T> List<T> list(
            String preface,
            Connection conn,
            String attempted,
            String sql,
            Reading<T> row,
            @Nullable Object... parameters) {
        return query(preface, conn, attempted, sql, binding(parameters), rows -> all(rows, row));
    }

    /** The first column of every row of a query. */
    public static List<String> strings(Connection conn, String attempted, String sql, @Nullable Object... parameters) {
        return list(conn, attempted, sql, row -> row.getString(1), parameters);
    }

    /** Every row of a query. */
    public static <T> List<T> list(
            Connection conn, String attempted, String sql, Reading<T> row, @Nullable Object... parameters) {
        return list("", conn, attempted, sql, row, parameters);
    }
}
