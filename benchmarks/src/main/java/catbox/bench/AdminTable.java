package catbox.bench;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.IntStream;
import outbox.internal.KeyHash;
import outbox.internal.Ulids;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcStores;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause;

/**
 * Fills a table as an operator finds it after thirty days: of a thousand events 997.8 are done, 1 is dead, 0.2 have
 * been waiting for a retry since then, and the latest of them are not delivered yet. Ids are ULIDs in the order of
 * time.
 */
record AdminTable(int rows, Instant until) {

    static final int KEYS = 100_000;
    static final int TYPES = 30;
    static final int ERROR_SHAPES = 40;
    static final Duration LASTING = Duration.ofDays(30);

    private static final int EVENTS_PER_MOMENT = 10;
    private static final int CHUNK = 500_000;

    static String type(int n) {
        return "Type" + (char) ('A' + n % TYPES % 26) + n % TYPES;
    }

    /** Uses letters, because numbers do not distinguish groups of errors. */
    static String errorShape(int n) {
        return "connection refused by host " + (char) ('a' + n % ERROR_SHAPES % 26)
                + (char) ('a' + n % ERROR_SHAPES / 26) + " after ";
    }

    static String key(int n) {
        return "key-" + n % KEYS;
    }

    void fill(Bench bench) throws SQLException {
        try (Connection conn = bench.dataSource.getConnection()) {
            makeMoments(conn);
            makeNames(conn);
            for (int from = 0; from < rows; from += CHUNK) {
                insert(conn, from, Math.min(rows, from + CHUNK));
                System.out.printf("%,d of %,d events%n", Math.min(rows, from + CHUNK), rows);
            }
            writeConcurrently(conn);
        }
        bench.execute("VACUUM (FREEZE, ANALYZE) outbox_event");
        bench.execute("ANALYZE");
        bench.execute("CHECKPOINT");
        joinNodes(new DataSourceConnectionProvider(bench.dataSource));
    }

    /** Creates ten events at a time: computing a ULID's time is expensive in SQL and cheap in Java. */
    private void makeMoments(Connection conn) throws SQLException {
        execute(conn, "CREATE TEMP TABLE moments (n INT PRIMARY KEY, at TIMESTAMPTZ, prefix TEXT)");
        int count = rows / EVENTS_PER_MOMENT + 1;
        try (PreparedStatement insert = conn.prepareStatement("INSERT INTO moments SELECT ? + i - 1, to_timestamp(m /"
                + " 1000.0), p FROM unnest(?::bigint[], ?::text[]) WITH ORDINALITY AS t(m, p, i)")) {
            for (int from = 0; from < count; from += 100_000) {
                int first = from;
                Instant[] times = IntStream.range(from, Math.min(count, from + 100_000))
                        .mapToObj(n -> at(n, count))
                        .toArray(Instant[]::new);
                insert.setInt(1, first);
                insert.setArray(2, array(conn, "bigint", times, Instant::toEpochMilli));
                insert.setArray(
                        3,
                        array(conn, "text", times, time -> Ulids.firstOf(time).substring(0, 10)));
                insert.executeUpdate();
            }
        }
        execute(conn, "ANALYZE moments");
    }

    private Instant at(int moment, int count) {
        return until.minus(LASTING).plusMillis(LASTING.toMillis() * moment / count);
    }

    private static void makeNames(Connection conn) throws SQLException {
        execute(conn, "CREATE TEMP TABLE keys (n INT PRIMARY KEY, key TEXT, hash INT)");
        Integer[] keys = IntStream.range(0, KEYS).boxed().toArray(Integer[]::new);
        try (PreparedStatement insert = conn.prepareStatement("INSERT INTO keys SELECT i - 1, k, h FROM"
                + " unnest(?::text[], ?::int[]) WITH ORDINALITY AS t(k, h, i)")) {
            insert.setArray(1, array(conn, "text", keys, AdminTable::key));
            insert.setArray(2, array(conn, "int", keys, n -> KeyHash.of(key(n))));
            insert.executeUpdate();
        }
        execute(conn, "ANALYZE keys");
        names(
                conn,
                "types",
                IntStream.range(0, TYPES).mapToObj(AdminTable::type).toArray(String[]::new));
        names(
                conn,
                "shapes",
                IntStream.range(0, ERROR_SHAPES)
                        .mapToObj(AdminTable::errorShape)
                        .toArray(String[]::new));
    }

    private static void names(Connection conn, String table, String[] names) throws SQLException {
        execute(conn, "CREATE TEMP TABLE " + table + " (n INT PRIMARY KEY, name TEXT)");
        try (PreparedStatement insert = conn.prepareStatement(
                "INSERT INTO " + table + " SELECT i - 1, name FROM unnest(?::text[]) WITH ORDINALITY AS t(name, i)")) {
            insert.setArray(1, conn.createArrayOf("text", names));
            insert.executeUpdate();
        }
        execute(conn, "ANALYZE " + table);
    }

    // A prime step makes the order of the keys independent of that of the types.
    private void insert(Connection conn, int from, int before) throws SQLException {
        String status = "CASE WHEN i >= " + (rows - rows / 1_250) + " THEN 0 WHEN i % 1000 = 500 THEN 3"
                + " WHEN i % 5000 = 7 THEN 2 ELSE 1 END";
        execute(
                conn,
                "INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, ordering_key, key_hash,"
                        + " payload, headers, status, attempts, occurred_at, available_at, created_at, last_attempt_at,"
                        + " done_at, last_error) SELECT m.prefix || lpad(i::text, 16, '0'), t.name, 'Order', k.key,"
                        + " k.key, k.hash, '{\"x\":\"' || repeat(md5(i::text), 6) || '\"}', '{\"h\":\"v\"}', s,"
                        + " CASE s WHEN 3 THEN 10 WHEN 2 THEN 2 ELSE 0 END, c,"
                        + " CASE s WHEN 2 THEN now() + i % 7200 * interval '1 second' ELSE c END, c,"
                        + " CASE WHEN s <> 0 THEN c + interval '90 ms' END,"
                        + " CASE s WHEN 1 THEN c + (50 + i % 40) * interval '1 ms' END,"
                        + " CASE WHEN s > 1 THEN e.name || i || ' ms' END"
                        + " FROM generate_series(" + from + ", " + (before - 1) + ") i"
                        + " JOIN moments m ON m.n = i / " + EVENTS_PER_MOMENT
                        + " JOIN keys k ON k.n = (i::bigint * 7919) % " + KEYS
                        + " JOIN types t ON t.n = i % " + TYPES
                        + " JOIN shapes e ON e.n = (i / 1000) % " + ERROR_SHAPES + ","
                        + " LATERAL (SELECT " + status + " AS s, m.at + i % " + EVENTS_PER_MOMENT
                        + " * interval '1 ms' AS c) x ORDER BY i");
    }

    private static void writeConcurrently(Connection conn) throws SQLException {
        execute(
                conn,
                "INSERT INTO outbox_attempt (event_id, attempt, node_id, destination, error, failed_at)"
                        + " SELECT event_id, a, 'node-' || a % 3, 'kafka', last_error, created_at + a * interval '1 s'"
                        + " FROM outbox_event, generate_series(1, 3) a WHERE status = 3");
        execute(
                conn,
                "WITH acts AS (INSERT INTO outbox_audit (at, who, action, subject, detail) SELECT created_at, 'anna',"
                        + " 'edit', event_id, 'payload, before: 7 bytes of JSON; after: 8 bytes of JSON' FROM outbox_event"
                        + " WHERE status = 3 RETURNING id, subject)"
                        + " INSERT INTO outbox_audit_event (event_id, audit_id) SELECT subject, id FROM acts");
    }

    private static void joinNodes(DataSourceConnectionProvider provider) {
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
        ClusterStore cluster = new JdbcStores(provider).relay().cluster();
        for (int n = 0; n < 3; n++) {
            Member member = new Member(Ulids.SYSTEM.next(), "node-" + n, 1, "bench", "127.0.0.1:" + n);
            cluster.join(member, terms, Duration.ofDays(1));
            cluster.acquire(Set.of(2 * n), member.session(), terms);
            cluster.acquire(Set.of(2 * n + 1), member.session(), terms);
        }
        ClusterAdmin admin = new JdbcStores(provider).clusterAdmin();
        admin.pause(new Pause.Subject(Pause.Kind.SOURCE, ""), "nothing is to be delivered here", "bench");
        for (int n = 0; n < 10; n++) {
            admin.pause(new Pause.Subject(Pause.Kind.KEY, key(n * 11)), "because", "bench");
        }
    }

    private static <T> Array array(
            Connection conn, String type, T[] values, java.util.function.Function<T, Object> element)
            throws SQLException {
        Object[] elements = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            elements[i] = element.apply(values[i]);
        }
        return conn.createArrayOf(type, elements);
    }

    private static void execute(Connection conn, String sql) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            statement.execute(sql);
        }
    }
}
