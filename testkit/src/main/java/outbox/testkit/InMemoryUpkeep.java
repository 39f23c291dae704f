package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.spi.RetentionStore;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.OutboxStatistics.Settled;
import outbox.spi.operations.OutboxStatistics.TypeLatency;
import outbox.spi.operations.StatisticsStore;

/** Figures and retention in memory. */
final class InMemoryUpkeep implements StatisticsStore, RetentionStore {

    private final Table table;

    InMemoryUpkeep(Table table) {
        this.table = table;
    }

    @Override
    public OutboxStatistics statistics(int sampleMax) {
        return table.atomically(() -> {
            List<Row> pending = rows(Row::isPending);
            List<Row> dead = rows(row -> row.state().status() == EventStatus.DEAD);
            return new OutboxStatistics(
                    EventSearch.bounded(pending.size(), sampleMax),
                    oldestAge(pending),
                    EventSearch.bounded(dead.size(), sampleMax),
                    settled(sampleMax));
        });
    }

    private @Nullable Duration oldestAge(List<Row> pending) {
        Instant now = table.now();
        return pending.stream()
                .map(row -> Duration.between(waitingSince(row.state()), now))
                .max(Comparator.naturalOrder())
                // What is not due yet has not begun to age.
                .map(age -> age.isNegative() ? Duration.ZERO : age)
                .orElse(null);
    }

    private static Instant waitingSince(EventState state) {
        boolean delayed =
                state.status() == EventStatus.NEW && state.availableAt().isAfter(state.createdAt());
        return delayed ? state.availableAt() : state.createdAt();
    }

    private Settled settled(int sampleMax) {
        List<Row> sample = rows(row -> row.state().doneAt() != null).stream()
                .sorted(Comparator.comparing(InMemoryUpkeep::doneAt)
                        .thenComparingLong(Row::seq)
                        .reversed())
                .limit(sampleMax)
                .toList();
        Map<String, List<Duration>> byType = sample.stream()
                .collect(Collectors.groupingBy(
                        row -> row.event().eventType(),
                        TreeMap::new,
                        Collectors.mapping(
                                row -> Duration.between(row.state().createdAt(), doneAt(row)), Collectors.toList())));
        List<TypeLatency> latencies = new ArrayList<>();
        byType.forEach((type, all) -> latencies.add(latency(type, all)));
        return new Settled(
                sample.size(),
                sample.stream()
                        .mapToInt(row -> row.state().attempts())
                        .average()
                        .orElse(0),
                sample.stream().mapToInt(row -> row.state().attempts()).max().orElse(0),
                latencies);
    }

    private static TypeLatency latency(String type, List<Duration> all) {
        Duration sum = all.stream().reduce(Duration.ZERO, Duration::plus);
        Duration max = all.stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
        return new TypeLatency(type, all.size(), sum.dividedBy(all.size()), max);
    }

    @Override
    public int purgeDone(Duration olderThan, int max) {
        return table.atomically(() -> {
            Instant limit = table.now().minus(olderThan);
            List<Row> old = rows(
                            row -> row.state().doneAt() != null && !doneAt(row).isAfter(limit))
                    .stream()
                    .limit(max)
                    .toList();
            old.forEach(table::delete);
            return old.size();
        });
    }

    private List<Row> rows(Predicate<Row> which) {
        return table.committed().stream().filter(which).toList();
    }

    private static Instant doneAt(Row row) {
        Instant doneAt = row.state().doneAt();
        if (doneAt == null) {
            throw new IllegalArgumentException("event " + row.id() + " is not done");
        }
        return doneAt;
    }
}
