package catbox.bench.contest;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Configures the report of a workload.
 *
 * @param chart the number that its charts show
 * @param most whether more of it is better
 */
record ReportSection(String workload, String title, String chart, boolean most, List<Column> columns) {

    /** A number under a title, with this many decimals. */
    record Column(String title, String field, int decimals) {

        String format(Double value) {
            return String.format(Locale.ROOT, "%,." + decimals + "f", value);
        }
    }

    private static final Column RATE = new Column("events/s", "perSecond", 0);
    private static final Column P50 = new Column("p50 ms", "p50", 2);
    private static final Column P95 = new Column("p95 ms", "p95", 2);
    private static final Column P99 = new Column("p99 ms", "p99", 2);
    private static final List<Column> EFFORT = List.of(
            new Column("allocated bytes", "allocatedBytes", 0),
            new Column("CPU relay µs", "cpuRelayMicros", 0),
            new Column("PostgreSQL µs", "cpuPostgresMicros", 0),
            new Column("Kafka µs", "cpuKafkaMicros", 0),
            new Column("WAL bytes", "walBytes", 0),
            new Column("commits", "commits", 4),
            new Column("statements", "statements", 4));
    private static final List<Column> FINDINGS = List.of(
            new Column("duplicates", "duplicates", 0),
            new Column("out of order", "inversions", 0),
            new Column("missing", "missing", 0));

    static List<ReportSection> all() {
        return List.of(
                new ReportSection(
                        "w1",
                        "W1: draining a backlog; all but the rate per event",
                        "perSecond",
                        true,
                        columns(List.of(new Column("events", "events", 0), RATE), EFFORT)),
                new ReportSection(
                        "w2",
                        "W2: from commit to consumer",
                        "p99",
                        false,
                        columns(List.of(RATE, P50, P95, P99, new Column("p99.9 ms", "p999", 2)), EFFORT)),
                new ReportSection(
                        "w3",
                        "W3: what publishing adds to a business transaction",
                        "ratio",
                        false,
                        List.of(
                                new Column("business alone µs", "businessMicros", 0),
                                new Column("with event µs", "publishMicros", 0),
                                new Column("× alone", "ratio", 2))),
                new ReportSection(
                        "w4",
                        "W4: writers at full speed",
                        "perSecond",
                        true,
                        columns(
                                List.of(
                                        new Column("published/s", "publishedPerSecond", 0),
                                        new Column("delivered/s", "perSecond", 0),
                                        new Column("backlog at the end", "backlogAtEnd", 0),
                                        new Column("catching up ms", "catchUpMillis", 0),
                                        P50,
                                        P99),
                                EFFORT)),
                new ReportSection(
                        "w5",
                        "W5: another transaction held open; latency before, and at its end",
                        "p99",
                        false,
                        columns(
                                List.of(
                                        new Column("before: p50 ms", "freep50", 2),
                                        new Column("p99 ms", "freep99", 2),
                                        new Column("held: p50 ms", "p50", 2),
                                        P99,
                                        new Column("× p99", "slowdown", 2)),
                                List.of())),
                new ReportSection(
                        "w6",
                        "W6: several nodes",
                        "perSecond",
                        true,
                        columns(List.of(new Column("events", "events", 0), RATE), EFFORT)));
    }

    private static List<Column> columns(List<Column> own, List<Column> common) {
        return Stream.of(own, common, FINDINGS).flatMap(List::stream).toList();
    }
}
