package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * Finds rows that no read of a partition shows, through the indexes that would hold them: it costs what there are of them.
 * Rows without a value that has to be there are searched for among those that have waited longest, where they keep their
 * key waiting.
 */
record StrayRowCheck(Dialect dialect, TableNames tables) {

    private static final int NAMED_MAX = 5;
    private static final int OLDEST_MAX = 1_000;
    private static final List<String> REQUIRED = List.of("event_type", "occurred_at", "created_at", "attempts");

    List<Finding> findings(Connection conn) throws SQLException {
        String settled = dialect.indexed(tables, "e", "settled") + " WHERE ";
        String lane = dialect.indexed(tables, "e", "lane") + " WHERE " + dialect.pendingInLane("e") + " AND ";
        List<String> found = new ArrayList<>();
        found.addAll(named(conn, "status", settled + "e.status < 0"));
        found.addAll(named(conn, "status", settled + "e.status > 3"));
        found.addAll(named(conn, "key_hash", lane + "e.key_hash < 0"));
        found.addAll(named(conn, "key_hash", lane + "e.key_hash IS NULL"));
        String due = dialect.indexed(tables, "e", "due") + " WHERE " + dialect.pending("e");
        found.addAll(named(conn, "available_at", due + " AND e.available_at IS NULL"));
        String oldest = "(SELECT e.event_id, " + String.join(", ", REQUIRED) + " FROM " + due
                + " ORDER BY e.available_at, e.seq LIMIT " + OLDEST_MAX + ") e WHERE ";
        for (String column : REQUIRED) {
            found.addAll(named(conn, column, oldest + "e." + column + " IS NULL"));
        }
        if (found.isEmpty()) {
            return List.of();
        }
        String rest = found.size() > NAMED_MAX ? ", and more" : "";
        return List.of(Finding.error(
                FindingCode.ROWS_UNREADABLE,
                "Rows of the table have values that are not allowed",
                String.join(", ", found.subList(0, Math.min(NAMED_MAX, found.size()))) + rest,
                "A relay that owns partitions sets them dead within a minute, but gives those without an allowed key_hash the"
                        + " hash of their key; others do so when they start. A row that stays cannot be written: the"
                        + " relay's log says why, and its key waits. Where none works here, discard or replay"
                        + " those of an unknown status. Find the program that writes them: status is"
                        + " 0, 1, 2 or 3, and key_hash the CRC-32 of the key, shifted right by one bit."));
    }

    private static List<String> named(Connection conn, String column, String chosen) throws SQLException {
        return DiagnosisCheck.query(
                conn,
                "SELECT e.event_id, e." + column + " FROM " + chosen + " LIMIT " + (NAMED_MAX + 1),
                row -> "event " + row.getString(1).replaceAll("\\p{Cntrl}", "?") + " has " + column + " "
                        + row.getString(2));
    }
}
