package catbox.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What everybody has used up to a moment: processor time in microseconds, and what the database says of itself.
 *
 * @param commits transactions that wrote; each of them waits for the disk
 */
record Meters(Processors processors, long walBytes, long commits, long statements) {

    /** Microseconds of the contenders' processes, of PostgreSQL's and of Kafka's. */
    record Processors(long relay, long postgres, long kafka) {}

    private static final long TICK_MICROS = 10_000; // Linux counts in hundredths of a second, on all usual machines.
    private static final int USER_TIME = 11; // Counted from the field after the command, which is in parentheses.
    private static final int TIMES = 4; // Own in user and kernel mode, then the same of children that have ended.

    static Meters now(Connection watching, Set<Long> contenders) throws SQLException {
        try (Statement statement = watching.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn,"
                        + " pg_snapshot_xmax(pg_current_snapshot())::text::bigint,"
                        + " (SELECT sum(calls) FROM pg_stat_statements)")) {
            row.next();
            return new Meters(processors(contenders), row.getLong(1), row.getLong(2), row.getLong(3));
        }
    }

    private static Processors processors(Set<Long> contenders) {
        long relay = 0;
        long postgres = 0;
        long kafka = 0;
        for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
            String command = process.info().command().orElse("");
            if (contenders.contains(process.pid())) {
                relay += micros(process);
            } else if (command.contains("postgres")) {
                postgres += micros(process);
            } else if (process.info().arguments().map(Meters::isKafka).orElse(false)) {
                kafka += micros(process);
            }
        }
        return new Processors(relay, postgres, kafka);
    }

    private static boolean isKafka(String[] arguments) {
        return Set.of(arguments).contains("kafka.Kafka");
    }

    // With the time of ended children: a connection's process takes its time with it when it is closed.
    private static long micros(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = 0; i < TIMES; i++) {
                ticks += Long.parseLong(fields[USER_TIME + i]);
            }
            return ticks * TICK_MICROS;
        } catch (IOException ended) {
            return 0;
        }
    }

    /** What was used since, per event. */
    Map<String, Object> perEvent(Meters before, long events) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("cpuRelayMicros", per(processors.relay - before.processors.relay, events));
        values.put("cpuPostgresMicros", per(processors.postgres - before.processors.postgres, events));
        values.put("cpuKafkaMicros", per(processors.kafka - before.processors.kafka, events));
        values.put("walBytes", per(walBytes - before.walBytes, events));
        values.put("commits", per(commits - before.commits, events));
        values.put("statements", per(statements - before.statements, events));
        return values;
    }

    static double per(long used, long events) {
        return events == 0 ? 0 : Math.round((double) used / events * 10_000) / 10_000.0;
    }
}
