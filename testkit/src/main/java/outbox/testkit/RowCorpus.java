package outbox.testkit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.internal.KeyHash;

/**
 * Rows of an event table as no application would publish them: other programs wrote them by hand. A table that has them
 * still delivers every other event, and shows every one of them.
 */
public final class RowCorpus {

    /** The event type of rows whose type is not what is odd about them. */
    public static final String TYPE = "Corpus";

    private static final String CAT = "\uD83D\uDC08";
    private static final Instant YEAR_9999 = Instant.parse("9999-12-31T23:59:59Z");
    private static final Instant LONG_AGO = Instant.parse("1000-01-01T00:00:00Z");

    private RowCorpus() {}

    /**
     * A row.
     *
     * @param label what is odd about it
     * @param columns what differs from a plain row; an {@link Expression} is SQL
     * @param waits whether it may be pending for good, because it is to be delivered thousands of years from now
     */
    public record OddRow(String label, String eventId, Map<String, @Nullable Object> columns, boolean waits) {}

    /** A value that only SQL can say. */
    private record Expression(String sql) {}

    /** The rows for a database, by the name that it gives itself. Each database refuses a few of them. */
    public static List<OddRow> rows(String product) {
        Rows rows = new Rows();
        boolean postgres = product.equals("PostgreSQL");
        statuses(rows);
        ids(rows);
        texts(rows);
        payloads(rows, product.equals("H2") ? 1_000_000 : 10_000_000);
        headers(rows);
        times(rows);
        numbers(rows);
        missing(rows);
        if (postgres) {
            for (String time : List.of("infinity", "-infinity", "4000-01-01 BC", "200000-01-01")) {
                for (String column : List.of("occurred_at", "created_at")) {
                    rows.add(column + " " + time, column, new Expression("'" + time + "'::timestamptz"));
                }
            }
            rows.waiting("available_at infinity", "available_at", new Expression("'infinity'::timestamptz"));
            rows.add("available_at -infinity", "available_at", new Expression("'-infinity'::timestamptz"));
        }
        return rows.all;
    }

    private static void statuses(Rows rows) {
        for (int status : new int[] {4, -2, 6, 8, 9, 5, -1, -3, 100, 126, 127, -128, 32_766, -32_768}) {
            rows.add("status " + status, "status", status);
        }
        rows.add("done without a time", "status", 1);
        rows.add("dead without an error", "status", 3);
        rows.add("dead with a time of being done", "status", 3, "done_at", Instant.EPOCH);
        rows.add("retried without an attempt", "status", 2);
        rows.add("unknown with an error", "status", 9, "last_error", "boom", "done_at", YEAR_9999);
    }

    private static void ids(Rows rows) {
        for (String id : List.of(
                "it's",
                "a \"quoted\" id",
                "two\nlines",
                "tab\tand\rreturn",
                "back\\slash",
                "100%_",
                "'; DROP TABLE x; --",
                "<script>alert(1)</script>",
                CAT.repeat(18),
                " ",
                "",
                "../../etc",
                "?a=1&b=2#c",
                "null",
                "\u202Eleft",
                "e\u0301",
                "trailing ",
                "%2F%00",
                "${env}{}",
                "bell\u0007",
                "\uFFFF",
                ".")) {
            rows.add(new OddRow("id " + id, id, Map.of(), false));
        }
    }

    private static void texts(Rows rows) {
        rows.add("key of 255 cats", "ordering_key", CAT.repeat(255));
        for (String key : List.of("k".repeat(255), "", "two\nlines", "it's", " ", "\u0001", "<b>")) {
            rows.add("key " + key, "ordering_key", key);
        }
        for (String type : List.of("t".repeat(128), "", "two\nlines", CAT.repeat(128), "a/b/../c?d#e", "*", " ")) {
            rows.add("type " + type, "event_type", type);
        }
        rows.add("aggregate of cats", "aggregate_type", CAT.repeat(64), "aggregate_id", CAT.repeat(128));
        rows.add("empty aggregate", "aggregate_type", "", "aggregate_id", "");
        rows.add("tenant of two lines", "tenant_id", "two\nlines");
        rows.add("error in HTML", "status", 3, "last_error", "<script>alert(1)</script>\n'\"&");
        rows.add("long error", "status", 3, "last_error", "e".repeat(60_000));
    }

    private static void payloads(Rows rows, int large) {
        rows.add("no payload", "payload", null);
        rows.add("both payloads", "payload_bytes", new byte[] {1});
        rows.add("payload that is no JSON", "payload", "nonsense");
        rows.add("broken JSON", "payload", "{\"a\":");
        rows.add("empty payload", "payload", "");
        rows.add("large payload", "payload", "\"" + "x".repeat(large) + "\"");
        byte[] bytes = new byte[large];
        Arrays.fill(bytes, (byte) 'x'); // Not zeros, which a driver may send as two bytes each.
        rows.add("large bytes", "payload", null, "payload_bytes", bytes);
        rows.add("deep payload", "payload", "[".repeat(10_000) + "]".repeat(10_000));
        rows.add("no bytes", "payload", null, "payload_bytes", new byte[0]);
        rows.add("broken bytes", "payload", null, "payload_bytes", new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
        rows.add("control characters", "payload", "\"\u0001\u001F\uFFFF\"");
        // Half of a character, of which no database makes text.
        rows.add("half a character", "payload", "\"\uD83D\"");
    }

    private static void headers(Rows rows) {
        for (String headers : List.of(
                "nonsense",
                "[1]",
                "{\"a\":{\"b\":1}}",
                "{\"a\":1}",
                "{\"a\":null}",
                "",
                "{}",
                "{\"a\":\"b\"",
                "{\"\":\"empty\"}",
                "{\"two\\nlines\":\"v\"}",
                "{\"v\":\"two\\r\\nlines\"}",
                "{\"a\":\"1\",\"a\":\"2\"}",
                "{\"" + CAT + "\":\"" + CAT + "\"}",
                "null")) {
            rows.add("headers " + headers, "headers", headers);
        }
        rows.add(
                "1,000 headers",
                "headers",
                IntStream.range(0, 1_000)
                        .mapToObj(n -> "\"name-" + n + "\":\"value\"")
                        .collect(Collectors.joining(",", "{", "}")));
        rows.add("large header", "headers", "{\"a\":\"" + "h".repeat(1_000_000) + "\"}");
    }

    private static void times(Rows rows) {
        for (Instant time : List.of(YEAR_9999, LONG_AGO, Instant.EPOCH)) {
            rows.add("occurred at " + time, "occurred_at", time);
            rows.add("created at " + time, "created_at", time, "available_at", time.equals(YEAR_9999) ? null : time);
            rows.add("done at " + time, "status", 1, "done_at", time);
            rows.add("attempted at " + time, "last_attempt_at", time, "status", 2);
        }
        rows.waiting("due in 9999", "available_at", YEAR_9999);
        rows.waiting("retried in 9999", "available_at", YEAR_9999, "status", 2);
        rows.add("due long ago", "available_at", LONG_AGO);
    }

    private static void numbers(Rows rows) {
        rows.add("attempts -1", "attempts", -1);
        rows.add("many attempts", "attempts", Integer.MAX_VALUE);
        rows.add("maxAttempts 0", "max_attempts", 0);
        rows.add("maxAttempts -5", "max_attempts", -5);
        for (int hash : new int[] {-1, -6, Integer.MIN_VALUE, 0, Integer.MAX_VALUE}) {
            rows.add("hash " + hash, "key_hash", hash, "ordering_key", "hash-" + hash);
        }
        rows.add("token without a claimant", "claim_token", "unknown");
    }

    private static void missing(Rows rows) {
        for (String column :
                List.of("event_type", "occurred_at", "created_at", "available_at", "attempts", "key_hash")) {
            rows.add("no " + column, column, null);
        }
    }

    /** Takes away what keeps such rows out of a table: constraints of its own, and that values have to be there. */
    public static void open(Connection conn) throws SQLException {
        String product = conn.getMetaData().getDatabaseProductName();
        List<String> changes = new ArrayList<>(
                List.of("DROP CONSTRAINT outbox_event_status_known", "DROP CONSTRAINT outbox_event_hash_known"));
        Map<String, String> types = new LinkedHashMap<>();
        types.put("event_type", "VARCHAR(128)");
        types.put("attempts", "INT DEFAULT 0");
        types.put("key_hash", "INT");
        List.of("occurred_at", "created_at", "available_at").forEach(column -> types.put(column, "DATETIME(6)"));
        types.forEach((column, type) -> changes.add(
                isMySql(product) ? "MODIFY " + column + " " + type : "ALTER COLUMN " + column + " DROP NOT NULL"));
        try (Statement statement = conn.createStatement()) {
            for (String change : changes) {
                statement.execute("ALTER TABLE outbox_event " + change);
            }
        }
    }

    private static boolean isMySql(String product) {
        return product.toLowerCase(Locale.ROOT).matches("mysql|mariadb");
    }

    /** Inserts what the database takes, and returns that. Each row has a key of its own, unless that is what is odd. */
    public static List<OddRow> insert(Connection conn) throws SQLException {
        String product = conn.getMetaData().getDatabaseProductName();
        List<OddRow> taken = new ArrayList<>();
        for (OddRow row : rows(product)) {
            if (insert(conn, product, row)) {
                taken.add(row);
            }
        }
        return taken;
    }

    private static boolean insert(Connection conn, String product, OddRow row) throws SQLException {
        Map<String, @Nullable Object> columns = plain(product, row.eventId());
        columns.putAll(row.columns());
        String values = columns.values().stream()
                .map(value -> value instanceof Expression expression ? expression.sql() : "?")
                .collect(Collectors.joining(", "));
        String insert =
                "INSERT INTO outbox_event (" + String.join(", ", columns.keySet()) + ") VALUES (" + values + ")";
        try (PreparedStatement statement = conn.prepareStatement(insert)) {
            int at = 0;
            for (Object value : columns.values()) {
                if (!(value instanceof Expression)) {
                    statement.setObject(++at, bound(product, value));
                }
            }
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (!conn.isValid(10)) {
                throw new SQLException("the connection did not survive " + row.label(), e);
            }
            return false;
        }
    }

    private static @Nullable Object bound(String product, @Nullable Object value) {
        if (value instanceof Instant time) {
            return isMySql(product) ? LocalDateTime.ofInstant(time, ZoneOffset.UTC) : time.atOffset(ZoneOffset.UTC);
        }
        return value;
    }

    private static Map<String, @Nullable Object> plain(String product, String eventId) {
        Expression now = new Expression(isMySql(product) ? "UTC_TIMESTAMP(6)" : "CURRENT_TIMESTAMP");
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        columns.put("event_id", eventId);
        columns.put("event_type", TYPE);
        columns.put("ordering_key", eventId);
        columns.put("key_hash", KeyHash.of(eventId));
        columns.put("payload", "{}");
        columns.put("status", 0);
        List.of("occurred_at", "available_at", "created_at").forEach(column -> columns.put(column, now));
        return columns;
    }

    /** Collects rows. */
    private static final class Rows {

        private final List<OddRow> all = new ArrayList<>();

        void add(OddRow row) {
            all.add(row);
        }

        void add(String label, @Nullable Object... columnsAndValues) {
            add(label, false, columnsAndValues);
        }

        void waiting(String label, @Nullable Object... columnsAndValues) {
            add(label, true, columnsAndValues);
        }

        private void add(String label, boolean waits, @Nullable Object... columnsAndValues) {
            Map<String, @Nullable Object> columns = new LinkedHashMap<>();
            for (int at = 0; at < columnsAndValues.length; at += 2) {
                columns.put(String.valueOf(columnsAndValues[at]), columnsAndValues[at + 1]);
            }
            if (columns.get("ordering_key") instanceof String key) {
                columns.putIfAbsent("key_hash", KeyHash.of(key));
            }
            add(new OddRow(label, "row-" + all.size(), columns, waits));
        }
    }
}
