package outbox.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.model.Act;
import outbox.model.Acted;
import outbox.model.AuditEntry;
import outbox.model.AuditQuery;
import outbox.model.BoundedCount;
import outbox.model.ClaimStrategy;
import outbox.model.ClusterReport;
import outbox.model.EventEdit;
import outbox.model.EventFilter;
import outbox.model.EventHistory;
import outbox.model.EventPage;
import outbox.model.EventQuery;
import outbox.model.EventRange;
import outbox.model.EventStatus;
import outbox.model.EventSummary;
import outbox.model.OutboxEvent;
import outbox.model.RelayTerms;
import outbox.model.Selection;
import outbox.spi.OperatorStore;
import outbox.testkit.Registry.Slot;
import outbox.util.KeyHash;

/** What an operator sees and does, in memory. */
record InMemoryOperator(Table table, Registry registry, EventSearch search, Acts acts) implements OperatorStore {

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
                    strategy == null ? null : new RelayTerms(strategy, registry.partitions()),
                    registry.partitionsWanted(),
                    nodes,
                    slots(strategy, now));
        });
    }

    private List<ClusterReport.Slot> slots(@Nullable ClaimStrategy strategy, Instant now) {
        List<ClusterReport.Slot> slots = new ArrayList<>();
        for (int number = 0; strategy != null && strategy.hasSlots() && number < registry.partitions(); number++) {
            Slot slot = registry.slot(number);
            String owner = registry.isAliveAt(slot.owner(), now) ? slot.owner() : null;
            slots.add(new ClusterReport.Slot(number, slot.epoch(), owner, slot.changedAt()));
        }
        return slots;
    }

    @Override
    public BoundedCount count(Selection selection, int limit) {
        return table.atomically(
                () -> InMemoryAdmin.bounded(search.settled(selection).count(), limit));
    }

    /** Memory needs no index; that of a database may have none, which is what tools have to cope with. */
    @Override
    public SearchIndexes searchIndexes() {
        return new SearchIndexes(false, false);
    }

    @Override
    public Acted replay(Selection selection, @Nullable String after, int max, Act act) {
        return table.atomically(() -> {
            EventSearch.Chosen chosen = search.chosen(selection, after, max, row -> true);
            return new Acted(acts.replay(selection, chosen.rows(), act), chosen.next());
        });
    }

    @Override
    public Acted discard(Selection selection, @Nullable String after, int max, Act act) {
        return table.atomically(() -> {
            EventSearch.Chosen chosen =
                    search.chosen(selection, after, max, row -> row.state().status() == EventStatus.DEAD);
            return new Acted(acts.discard(selection, chosen.rows(), act), chosen.next());
        });
    }

    @Override
    public boolean edit(String eventId, EventEdit edit, Act act) {
        return table.atomically(() -> acts.edit(eventId, edit, act));
    }

    @Override
    public void note(Act act, String action, String subject) {
        table.change(() -> registry.note(act.who(), action, subject, act.reason()));
    }
}
