package outbox.jdbc.internal.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.EventStatus;

/**
 * Reads the columns of a row that another program may have written. A value that cannot be used is a fault of its row, and
 * another stands in for it, so that people can see the rest.
 */
public final class RowFaults {

    private static final Instant YEAR_1 = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant YEAR_10_000 = Instant.parse("+10000-01-01T00:00:00Z");

    private final Dialect dialect;
    private final ResultSet row;
    private @Nullable String reason;

    public RowFaults(Dialect dialect, ResultSet row) {
        this.dialect = dialect;
        this.row = row;
    }

    /** What is wrong, in plain words; null for nearly every row. */
    @Nullable
    public String reason() {
        return reason;
    }

    /** The error of the row as people are shown it. */
    @Nullable
    public String withError(@Nullable String lastError) {
        return reason == null || lastError == null || lastError.contains(reason)
                ? lastError == null ? reason : lastError
                : reason + "; " + lastError;
    }

    private void add(String fault) {
        reason = reason == null ? fault : reason + "; " + fault;
    }

    public String text(String name, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            add(name + " is missing");
            return "?";
        }
        return value;
    }

    public int number(String name, int column) throws SQLException {
        int value = row.getInt(column);
        if (row.wasNull()) {
            add(name + " is missing");
        }
        return value;
    }

    /** A row of an unknown status is shown as dead: an operator can replay it or discard it. */
    public EventStatus status(int column) throws SQLException {
        int code = row.getInt(column);
        if (row.wasNull()) {
            add("status is missing");
            return EventStatus.DEAD;
        }
        if (code < 0 || code > EventStatus.DEAD.code()) {
            add(unknown(code));
            return EventStatus.DEAD;
        }
        return EventStatus.of(code);
    }

    static String unknown(int status) {
        return "status " + status + " is unknown; 0, 1, 2 and 3 are known";
    }

    public Instant time(String name, int column) throws SQLException {
        Instant time = optionalTime(name, column);
        if (time == null) {
            if (reason == null || !reason.contains(name)) {
                add(name + " is missing");
            }
            return Instant.EPOCH;
        }
        if (time.isBefore(YEAR_1) || !time.isBefore(YEAR_10_000)) {
            add(name + " is outside of the years 1 to 9999");
        }
        return time;
    }

    @Nullable
    public Instant optionalTime(String name, int column) throws SQLException {
        try {
            return dialect.readInstant(row, column);
        } catch (SQLException | DateTimeException e) {
            if (e instanceof SQLException sql && SqlFailure.isConnectionLost(sql)) {
                throw sql;
            }
            add(name + " cannot be read: " + e.getMessage());
            return null;
        }
    }
}
