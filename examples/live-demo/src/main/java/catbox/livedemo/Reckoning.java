package catbox.livedemo;

import catbox.devservices.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the events in the table with the events that arrived, by event id.
 *
 * @param committed events in the table
 * @param pending committed, and not settled yet: a relay will still deliver them
 * @param dead given up by the relay because a destination has rejected them: they wait for an operator
 * @param lost settled as done and never received
 * @param neverCommitted received and never committed
 * @param outOfOrder topics and keys whose events first arrived in another order than they were stored
 */
record Reckoning(
        int committed, int pending, int dead, Set<String> lost, Set<String> neverCommitted, List<String> outOfOrder) {

    private static final int DONE = 1;
    private static final int DEAD = 3;

    /** A row of the outbox. */
    record Stored(String eventId, String lane, int status) {}

    static Reckoning of(DatabaseServer postgres, String databaseUrl, Journal journal) throws SQLException {
        List<Stored> stored = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(databaseUrl, postgres.user(), postgres.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select event_id, aggregate_type, ordering_key, status from outbox_event order by seq")) {
            while (row.next()) {
                String topic = row.getString(2).equals("ORDER") ? RelayFile.ORDERS : RelayFile.COUPONS;
                stored.add(new Stored(row.getString(1), topic + "/" + row.getString(3), row.getInt(4)));
            }
        }
        return of(stored, journal);
    }

    static Reckoning of(List<Stored> stored, Journal journal) {
        Set<String> seen = journal.seen();
        Set<String> neverCommitted = new HashSet<>(seen);
        Set<String> lost = new HashSet<>();
        Map<String, List<String>> expected = new LinkedHashMap<>();
        int pending = 0;
        int dead = 0;
        for (Stored event : stored) {
            neverCommitted.remove(event.eventId());
            expected.computeIfAbsent(event.lane(), lane -> new ArrayList<>()).add(event.eventId());
            if (event.status() == DEAD) {
                dead++;
            } else if (event.status() != DONE) {
                pending++;
            } else if (!seen.contains(event.eventId())) {
                lost.add(event.eventId());
            }
        }
        List<String> outOfOrder = journal.idsByKey().entrySet().stream()
                .filter(came -> !isInOrder(came.getValue(), expected.getOrDefault(came.getKey(), List.of())))
                .map(Map.Entry::getKey)
                .toList();
        return new Reckoning(stored.size(), pending, dead, Set.copyOf(lost), Set.copyOf(neverCommitted), outOfOrder);
    }

    private static boolean isInOrder(List<String> came, List<String> stored) {
        List<String> those = new ArrayList<>(stored);
        those.retainAll(came);
        return those.equals(came);
    }

    boolean isRight() {
        return lost.isEmpty() && neverCommitted.isEmpty() && outOfOrder.isEmpty();
    }

    boolean isComplete() {
        return lost.isEmpty() && pending == 0;
    }

    void print(Console console, Journal journal) {
        console.line("");
        console.line(isRight() ? "Nothing was lost." : "SOMETHING IS WRONG.");
        console.line("  committed   %d events, by id, in the outbox table", committed);
        console.line(
                "  received    %d of them, by id, from Kafka%s", journal.seen().size(), missing());
        console.line("  duplicates  %d", journal.duplicates());
        if (dead > 0) {
            console.line("  refused     %d by the warehouse: an operator decides, in the console", dead);
        }
        console.line(
                "  order       %s",
                outOfOrder.isEmpty()
                        ? "kept for all " + journal.idsByKey().size() + " keys"
                        : "BROKEN for " + outOfOrder);
        console.line(
                "  latency     p50 %.1f ms, p99 %.1f ms, from publish to consumer, outages included",
                journal.latency(0.50).toNanos() / 1e6, journal.latency(0.99).toNanos() / 1e6);
    }

    private String missing() {
        return (pending == 0 ? "" : "; " + pending + " in the table, not settled yet")
                + (lost.isEmpty() ? "" : "; LOST " + lost)
                + (neverCommitted.isEmpty() ? "" : "; NEVER COMMITTED " + neverCommitted);
    }
}
