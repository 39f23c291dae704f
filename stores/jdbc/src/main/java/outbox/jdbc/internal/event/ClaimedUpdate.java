package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.Claim;

/**
 * One change to many claimed rows.
 *
 * @param assignments the SET clause; values of the row's own are {@code c.value_micros} and {@code c.value_text}
 * @param byToken whether a row must have the token of its claim; otherwise a fence of another kind has been passed
 */
public record ClaimedUpdate(String assignments, List<Row> rows, boolean byToken) {

    // In one order always, so that a settlement and a renewal that meet wait for each other instead of deadlocking.
    public ClaimedUpdate {
        rows = rows.stream()
                .sorted(Comparator.comparing(row -> row.claim().eventId()))
                .toList();
    }

    public ClaimedUpdate(String assignments, List<Row> rows) {
        this(assignments, rows, true);
    }

    /** The condition on the row t and the values c. */
    public String matches() {
        return "t.event_id = c.claimed_id" + (byToken ? " AND t.claim_token = c.claimed_token" : "");
    }

    /** Changes the rows and returns how many matched. */
    int execute(Connection conn, Dialect dialect, String table, String attempted) {
        if (rows.isEmpty()) {
            return 0;
        }
        try {
            return dialect.updateClaimed(conn, table, this);
        } catch (SQLException e) {
            throw SqlFailure.of(attempted, e);
        }
    }

    /** A claim, and the values that its row is to be given; unused ones are zero and empty. */
    public record Row(Claim claim, long micros, String text) {}

    public static ClaimedUpdate of(String assignments, Iterable<Claim> claims) {
        List<Row> rows = new ArrayList<>();
        claims.forEach(claim -> rows.add(new Row(claim, 0, "")));
        return new ClaimedUpdate(assignments, rows);
    }
}
