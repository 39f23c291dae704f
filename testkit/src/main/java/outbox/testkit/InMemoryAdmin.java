package outbox.testkit;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.model.DeadFilter;
import outbox.model.DeadPosition;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.AdminStore;
import outbox.spi.operations.BoundedCount;

/** Dead events in memory: seen, counted, sent again. */
final class InMemoryAdmin implements AdminStore {

    private static final Comparator<DeadPosition> OLDEST_FIRST =
            Comparator.comparing(DeadPosition::createdAt).thenComparing(DeadPosition::eventId);

    private final Table table;

    InMemoryAdmin(Table table) {
        this.table = table;
    }

    @Override
    public Optional<OutboxEvent> find(String eventId) {
        return table.atomically(() -> Optional.ofNullable(table.find(eventId)).map(Row::read));
    }

    @Override
    public List<OutboxEvent> listDead(DeadFilter filter, @Nullable DeadPosition after, int limit) {
        return table.atomically(() -> dead(filter)
                .filter(row -> after == null || OLDEST_FIRST.compare(positionOf(row), after) > 0)
                .sorted(Comparator.comparing(InMemoryAdmin::positionOf, OLDEST_FIRST))
                .limit(limit)
                .map(Row::read)
                .toList());
    }

    @Override
    public BoundedCount countDead(DeadFilter filter, int limit) {
        return table.atomically(() -> bounded(dead(filter).count(), limit));
    }

    @Override
    public boolean replay(String eventId) {
        return table.atomically(() -> {
            Row row = table.find(eventId);
            if (row == null || row.state().status() != EventStatus.DEAD) {
                return false;
            }
            table.replace(row.replayed(table.now()));
            return true;
        });
    }

    @Override
    public int replayDead(DeadFilter filter, int max) {
        return table.atomically(() -> {
            List<OutboxEvent> oldest = listDead(filter, null, max);
            oldest.forEach(event -> replay(event.eventId()));
            return oldest.size();
        });
    }

    static BoundedCount bounded(long all, int limit) {
        return new BoundedCount(Math.min(all, limit), all > limit);
    }

    private Stream<Row> dead(DeadFilter filter) {
        return table.committed().stream()
                .filter(row -> row.state().status() == EventStatus.DEAD)
                .filter(row -> matches(filter, row.event()));
    }

    private static boolean matches(DeadFilter filter, OutboxEvent event) {
        String error = event.state().lastError();
        return isOrAny(filter.eventType(), event.eventType())
                && isOrAny(filter.aggregateId(), event.aggregateId())
                && isOrAny(filter.tenantId(), event.tenantId())
                && (filter.errorContains() == null || (error != null && error.contains(filter.errorContains())))
                && (filter.createdFrom() == null || !event.createdAt().isBefore(filter.createdFrom()))
                && (filter.createdBefore() == null || event.createdAt().isBefore(filter.createdBefore()));
    }

    private static boolean isOrAny(@Nullable String wanted, @Nullable String value) {
        return wanted == null || wanted.equals(value);
    }

    private static DeadPosition positionOf(Row row) {
        return DeadPosition.of(row.event());
    }
}
