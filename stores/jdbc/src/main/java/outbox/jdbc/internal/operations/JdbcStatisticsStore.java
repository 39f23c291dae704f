package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.OutboxStatistics.Settled;
import outbox.spi.operations.OutboxStatistics.TypeLatency;
import outbox.spi.operations.StatisticsStore;

/**
 * Figures at the cost of a few index ranges: counts stop at the sample size, the oldest are the first of their
 * index, and averages are taken over the latest done events, which the index of settled events gives from its end.
 */
public final class JdbcStatisticsStore implements StatisticsStore {

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;

    public JdbcStatisticsStore(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public JdbcStatisticsStore(ConnectionProvider connectionProvider, TableNames tables) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
    }

    @Override
    public OutboxStatistics statistics(int sampleMax) {
        if (sampleMax < 1 || sampleMax > 100_000) {
            throw new IllegalArgumentException("sampleMax must be from 1 to 100000, was " + sampleMax);
        }
        return JdbcTransaction.run(connectionProvider, conn -> {
            Dialect dialect = Dialect.of(conn);
            return new OutboxStatistics(
                    count(conn, dialect.pending("e"), sampleMax),
                    oldestPendingAge(conn, dialect, sampleMax),
                    count(conn, "e.status = 3", sampleMax),
                    settled(conn, dialect, sampleMax));
        });
    }

    private BoundedCount count(Connection conn, String condition, int limit) {
        return BoundedCounts.count(conn, tables.event(), condition, statement -> {}, limit);
    }

    // Two kinds are pending, and each has its oldest at the front of an index: new events by the time they came due,
    // retries, whose due time moves, by their creation.
    private @Nullable Duration oldestPendingAge(Connection conn, Dialect dialect, int sampleMax) {
        Duration ofNew = age(
                conn,
                dialect,
                "SELECT available_at AS since, " + dialect.now() + " AS now_at FROM (SELECT available_at, status FROM "
                        + tables.event() + " e WHERE " + dialect.pending("e") + " AND available_at <= " + dialect.now()
                        + " ORDER BY available_at LIMIT " + sampleMax
                        + ") due WHERE status = 0 ORDER BY available_at LIMIT 1");
        Duration ofRetry = age(
                conn,
                dialect,
                "SELECT created_at AS since, " + dialect.now() + " AS now_at FROM " + tables.event()
                        + " e WHERE status = 2 AND done_at IS NULL ORDER BY created_at LIMIT 1");
        return Stream.of(ofNew, ofRetry)
                .filter(Objects::nonNull)
                .max(Duration::compareTo)
                .orElse(null);
    }

    private static @Nullable Duration age(Connection conn, Dialect dialect, String select) {
        List<Duration> ages = Sql.query(conn, "find the oldest pending event", select, statement -> {}, row -> {
            List<Duration> found = new ArrayList<>();
            while (row.next()) {
                @Nullable Duration age = between(dialect, row, "since", "now_at");
                if (age != null) {
                    found.add(age);
                }
            }
            return found;
        });
        return ages.isEmpty() ? null : ages.get(0);
    }

    /** Sums up the latencies of one type. */
    private static final class Latencies {
        private int count;
        private Duration sum = Duration.ZERO;
        private Duration max = Duration.ZERO;

        void add(Duration latency) {
            count++;
            sum = sum.plus(latency);
            max = latency.compareTo(max) > 0 ? latency : max;
        }

        TypeLatency of(String type) {
            return new TypeLatency(type, count, sum.dividedBy(count), max);
        }
    }

    private Settled settled(Connection conn, Dialect dialect, int sampleMax) {
        String select = "SELECT event_type, attempts, created_at, done_at FROM " + tables.event()
                + " WHERE status = 1 ORDER BY done_at DESC LIMIT " + sampleMax;
        return Sql.query(conn, "sample settled events", select, statement -> {}, rows -> {
            int sampled = 0;
            long retries = 0;
            int retriesMax = 0;
            Map<String, Latencies> byType = new TreeMap<>();
            while (rows.next()) {
                int attempts = rows.getInt("attempts");
                sampled++;
                retries += attempts;
                retriesMax = Math.max(retriesMax, attempts);
                @Nullable Duration latency = between(dialect, rows, "created_at", "done_at");
                @Nullable String type = rows.getString("event_type");
                if (latency != null && type != null) {
                    byType.computeIfAbsent(type, first -> new Latencies()).add(latency);
                }
            }
            List<TypeLatency> latencies = byType.entrySet().stream()
                    .map(entry -> entry.getValue().of(entry.getKey()))
                    .toList();
            return new Settled(sampled, sampled == 0 ? 0 : (double) retries / sampled, retriesMax, latencies);
        });
    }

    /** Null where one of them is missing, as another program may have left it. */
    private static @Nullable Duration between(Dialect dialect, ResultSet row, String from, String to)
            throws SQLException {
        @Nullable Instant begin = dialect.readInstant(row, from);
        @Nullable Instant end = dialect.readInstant(row, to);
        return begin == null || end == null ? null : Duration.between(begin, end);
    }
}
