package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.JdbcTransaction;
import outbox.internal.Limits;
import outbox.internal.SettledSample;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.OutboxStatistics.Settled;
import outbox.spi.operations.StatisticsStore;

/**
 * Figures at the cost of a few index ranges: counts stop at the sample size, the oldest are the first of their
 * index, and averages are taken over the latest done events, which the index of settled events gives from its end.
 */
public record JdbcStatisticsStore(ConnectionProvider connectionProvider, TableNames tables) implements StatisticsStore {

    @Override
    public OutboxStatistics statistics(int sampleMax) {
        Limits.oneTo(100_000, "sampleMax", sampleMax);
        return JdbcTransaction.run(connectionProvider, conn -> {
            Dialect dialect = Dialect.of(conn);
            return new OutboxStatistics(
                    count(conn, dialect.pending("e"), sampleMax),
                    oldestPendingAge(conn, dialect, sampleMax),
                    count(conn, "e.status = 3", sampleMax),
                    settled(conn, dialect, sampleMax));
        });
    }

    /** Counts no further than the limit, so that the cost follows the limit and never the table. */
    private BoundedCount count(Connection conn, String condition, int limit) {
        String select = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM " + tables.event() + " e WHERE " + condition
                + " LIMIT " + (limit + 1L) + ") counted";
        long found =
                Sql.list(conn, "count events", select, row -> row.getLong(1)).getFirst();
        return new BoundedCount(Math.min(found, limit), found > limit);
    }

    // Two kinds are pending, and each has its oldest at the front of an index: new events by the time they came due,
    // retries, whose due time moves, by their creation.
    private @Nullable Duration oldestPendingAge(Connection conn, Dialect dialect, int sampleMax) {
        String ofNew = "SELECT available_at AS since, " + dialect.now() + " AS now_at FROM (SELECT available_at, status"
                + " FROM " + tables.event() + " e WHERE " + dialect.pending("e") + " AND available_at <= "
                + dialect.now()
                + " ORDER BY available_at LIMIT " + sampleMax + ") due WHERE status = 0 ORDER BY available_at LIMIT 1";
        String ofRetry = "SELECT created_at AS since, " + dialect.now() + " AS now_at FROM " + tables.event()
                + " e WHERE status = 2 AND done_at IS NULL ORDER BY created_at LIMIT 1";
        return Stream.of(ofNew, ofRetry)
                .flatMap(select ->
                        Sql.list(conn, "find the oldest pending event", select, row -> age(dialect, row)).stream())
                .flatMap(Optional::stream)
                .max(Duration::compareTo)
                .orElse(null);
    }

    /** Empty where the time is missing, as another program may have left it. */
    private static Optional<Duration> age(Dialect dialect, ResultSet row) throws SQLException {
        @Nullable Instant since = dialect.readInstant(row, "since");
        return since == null ? Optional.empty() : Optional.of(Duration.between(since, dialect.instant(row, "now_at")));
    }

    private Settled settled(Connection conn, Dialect dialect, int sampleMax) {
        String select = "SELECT event_type, attempts, created_at, done_at FROM " + tables.event()
                + " WHERE status = 1 ORDER BY done_at DESC LIMIT " + sampleMax;
        SettledSample sample = new SettledSample();
        return Sql.query(conn, "sample settled events", select, statement -> {}, rows -> {
            while (rows.next()) {
                sample.add(
                        rows.getString("event_type"),
                        rows.getInt("attempts"),
                        dialect.readInstant(rows, "created_at"),
                        dialect.readInstant(rows, "done_at"));
            }
            return sample.figures();
        });
    }
}
