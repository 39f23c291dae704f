package catbox.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The resources that a contender has used so far: processor time of its own processes, of those of the database that
 * serve it or all, and of Kafka's; and the database's statistics. Other contenders wait on the same servers, and their
 * idle connections do not count.
 */
record Meters(Processors processors, Database database) {

    /** Microseconds by process. An ended process takes its time with it, and a new one begins at zero. */
    record Processors(Map<Long, Long> relay, Map<Long, Long> postgres, Map<Long, Long> kafka) {}

    /**
     * The database's work. Log and commits are the whole server's, which no other contender writes to except for a
     * heartbeat.
     *
     * @param commits transactions that wrote; each of them waits for the disk
     */
    record Database(long walBytes, long commits, long statements) {}

    private static final long TICK_MICROS = 10_000; // Linux counts in hundredths of a second, on all common machines.
    private static final int USER_TIME = 11; // Counted from the field after the command, which is in parentheses.
    private static final int KERNEL_TIME = 12;

    static Meters now(Connection watching, String database, Set<Long> contenders) throws SQLException {
        return new Meters(processors(contenders, servingOthers(watching, database)), database(watching, database));
    }

    private static Database database(Connection watching, String database) throws SQLException {
        try (PreparedStatement statement = watching.prepareStatement("SELECT pg_current_wal_insert_lsn() -"
                + " '0/0'::pg_lsn, pg_snapshot_xmax(pg_current_snapshot())::text::bigint, (SELECT sum(calls) FROM"
                + " pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = ?)")) {
            statement.setString(1, database);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Database(row.getLong(1), row.getLong(2), row.getLong(3));
            }
        }
    }

    private static Set<Long> servingOthers(Connection watching, String database) throws SQLException {
        try (PreparedStatement statement = watching.prepareStatement(
                "SELECT pid FROM pg_stat_activity WHERE datname IS NOT NULL AND datname <> ?")) {
            statement.setString(1, database);
            Set<Long> pids = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    pids.add(rows.getLong(1));
                }
            }
            return pids;
        }
    }

    private static Processors processors(Set<Long> contenders, Set<Long> servingOthers) {
        Processors all = new Processors(new HashMap<>(), new HashMap<>(), new HashMap<>());
        for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
            long pid = process.pid();
            if (contenders.contains(pid)) {
                all.relay.put(pid, micros(pid));
            } else if (process.info().command().orElse("").contains("postgres")) {
                if (!servingOthers.contains(pid)) {
                    all.postgres.put(pid, micros(pid));
                }
            } else if (process.info().arguments().map(Meters::isKafka).orElse(false)) {
                all.kafka.put(pid, micros(pid));
            }
        }
        return all;
    }

    private static boolean isKafka(String[] arguments) {
        return Set.of(arguments).contains("kafka.Kafka");
    }

    // Without the time of ended children: a closed connection may have belonged to another contender.
    private static long micros(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME])) * TICK_MICROS;
        } catch (IOException ended) {
            return 0;
        }
    }

    /** Returns the resources used since, per event. */
    Map<String, Object> perEvent(Meters before, long events) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("cpuRelayMicros", per(grown(before.processors.relay, processors.relay), events));
        values.put("cpuPostgresMicros", per(grown(before.processors.postgres, processors.postgres), events));
        values.put("cpuKafkaMicros", per(grown(before.processors.kafka, processors.kafka), events));
        values.put("walBytes", per(database.walBytes - before.database.walBytes, events));
        values.put("commits", per(database.commits - before.database.commits, events));
        values.put("statements", per(database.statements - before.database.statements, events));
        return values;
    }

    private static long grown(Map<Long, Long> before, Map<Long, Long> after) {
        return after.entrySet().stream()
                .mapToLong(each -> Math.max(0, each.getValue() - before.getOrDefault(each.getKey(), 0L)))
                .sum();
    }

    static double per(long used, long events) {
        return events == 0 ? 0 : Math.round((double) used / events * 10_000) / 10_000.0;
    }
}
