package outbox.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.ClusterReport;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventRange;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.testkit.Registry.Partition;

/** What an operator sees and does, in memory. */
record InMemoryOperator(Table table, Registry registry, EventSearch search, OperatorActions acts)
        implements OperatorStore {

    @Override
    public EventPage events(EventQuery query) {
        return table.atomically(() -> search.events(query));
    }

    @Override
    public Optional<OutboxEvent> find(String eventId) {
        return table.atomically(() -> Optional.ofNullable(table.find(eventId)).map(Row::read));
    }

    @Override
    public EventHistory history(String eventId) {
        return table.atomically(() -> acts.history(eventId));
    }

    @Override
    public List<EventSummary> lane(String key, int limit) {
        return table.atomically(() -> table.pending().lane(KeyHash.of(key)).stream()
                .limit(limit)
                .map(Row::summary)
                .toList());
    }

    @Override
    public EventRange range(EventFilter filter, @Nullable String after, int limit) {
        return table.atomically(() -> search.range(filter, after, limit));
    }

    @Override
    public List<AuditEntry> audit(AuditQuery query) {
        Long before = query.before();
        return table.atomically(() -> registry.audit().stream()
                .filter(entry -> before == null || entry.id() < before)
                .sorted(Comparator.comparingLong(AuditEntry::id).reversed())
                .limit(query.limit())
                .toList());
    }

    @Override
    public ClusterReport cluster() {
        return table.atomically(() -> {
            Instant now = table.now();
            ClaimStrategy strategy = registry.relayStrategy();
            List<ClusterReport.Node> nodes = registry.members().stream()
                    .map(known -> new ClusterReport.Node(
                            known.member(),
                            known.joinedAt(),
                            known.heartbeatAt(),
                            known.expiresAt(),
                            known.interval(),
                            known.ready()))
                    .sorted(Comparator.comparing(node -> node.member().nodeId()))
                    .toList();
            return new ClusterReport(
                    now,
                    strategy == null ? null : new ClusterLayout(strategy, registry.partitions()),
                    registry.partitionsWanted(),
                    nodes,
                    partitions(strategy, now));
        });
    }

    private List<ClusterReport.Partition> partitions(@Nullable ClaimStrategy strategy, Instant now) {
        List<ClusterReport.Partition> slots = new ArrayList<>();
        for (int number = 0;
                strategy != null && strategy.usesPartitions() && number < registry.partitions();
                number++) {
            Partition slot = registry.partition(number);
            String owner = registry.isAliveAt(slot.owner(), now) ? slot.owner() : null;
            slots.add(new ClusterReport.Partition(number, slot.epoch(), owner, slot.changedAt()));
        }
        return slots;
    }

    @Override
    public BoundedCount count(Selection selection, int limit) {
        return table.atomically(
                () -> EventSearch.bounded(search.settled(selection).count(), limit));
    }

    /** Memory needs no index; that of a database may have none, which is what tools have to cope with. */
    @Override
    public SearchIndexes searchIndexes() {
        return new SearchIndexes(false, false);
    }

    @Override
    public ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act) {
        return table.atomically(() -> {
            EventSearch.Chosen chosen = search.chosen(selection, after, max, row -> true);
            return new ChangedEvents(acts.replay(selection, chosen.rows(), act), chosen.next());
        });
    }

    @Override
    public ChangedEvents discard(Selection selection, @Nullable String after, int max, OperatorAction act) {
        return table.atomically(() -> {
            EventSearch.Chosen chosen =
                    search.chosen(selection, after, max, row -> row.state().status() == EventStatus.DEAD);
            return new ChangedEvents(acts.discard(selection, chosen.rows(), act), chosen.next());
        });
    }

    @Override
    public boolean edit(String eventId, EventEdit edit, OperatorAction act) {
        return table.atomically(() -> acts.edit(eventId, edit, act));
    }

    @Override
    public void note(OperatorAction act, String action, String subject) {
        table.change(() -> registry.note(act.who(), action, subject, act.reason()));
    }
}
