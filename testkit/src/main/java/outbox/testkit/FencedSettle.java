package outbox.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.operations.EventHistory;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;

/** Settles behind a fence, in memory. Guarded by the lock of its {@link Table}. */
final class FencedSettle {

    private final Table table;
    private final Registry registry;
    private final Map<String, List<EventHistory.FailedAttempt>> attempts = new HashMap<>();
    private final Map<String, Map<String, Instant>> acknowledged = new HashMap<>();

    FencedSettle(Table table, Registry registry) {
        this.table = table;
        this.registry = registry;
    }

    SettleResult settle(SettleRequest request) {
        if (request.fence() instanceof Fence.Ownership slot && !registry.isOwned(slot.ownership())) {
            return new SettleResult.Fenced();
        }
        for (Acknowledgement each : request.acknowledgements()) {
            Row row = table.find(each.claim().eventId());
            if (row != null && row.isPending() && isOurs(each.claim(), row, request.fence())) {
                acknowledged.computeIfAbsent(row.id(), id -> new TreeMap<>()).putIfAbsent(each.target(), table.now());
            }
        }
        List<SettleResult.Item> results = new ArrayList<>();
        for (SettleItem item : request.items()) {
            Row row = table.find(item.eventId());
            if (row != null && mayWrite(item, row, request.fence())) {
                write(item, row, request);
                results.add(SettleResult.Item.WRITTEN);
            } else {
                results.add(SettleResult.Item.CLAIM_LOST);
            }
        }
        return new SettleResult.Settled(results);
    }

    boolean mark(PartitionOwnership hold, Set<String> answered, Set<String> begun) {
        if (!registry.isOwned(hold)) {
            return false;
        }
        answered.forEach(id -> mark(table.find(id), 0));
        for (String id : begun) {
            Row row = table.find(id);
            mark(row, row == null ? 0 : row.event().deaths() + 1);
        }
        return true;
    }

    private void mark(@Nullable Row row, int deaths) {
        if (row != null && row.isPending()) {
            table.replace(row.marked(deaths));
        }
    }

    private static boolean mayWrite(SettleItem item, Row row, Fence fence) {
        Settlement settlement = item.settlement();
        boolean isFirst = settlement instanceof Settlement.Done || row.state().attempts() == item.expectedAttempts();
        return row.isPending() && isOurs(settlement.claim(), row, fence) && isFirst;
    }

    private static boolean isOurs(Claim claim, Row row, Fence fence) {
        return switch (fence) {
            case Fence.Ownership slot -> claim.replays() == row.state().replays();
            case Fence.Tokens tokens -> row.isStillOf(claim);
        };
    }

    Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
        Map<String, Set<String>> targets = new HashMap<>();
        for (String id : eventIds) {
            Map<String, Instant> own = acknowledged.get(id);
            if (own != null) {
                targets.put(id, Set.copyOf(own.keySet()));
            }
        }
        return targets;
    }

    /** The destinations that have an event already, by name. */
    List<EventHistory.Acknowledged> acknowledgements(String eventId) {
        return acknowledged.getOrDefault(eventId, Map.of()).entrySet().stream()
                .map(own -> new EventHistory.Acknowledged(own.getKey(), own.getValue()))
                .toList();
    }

    void forgetAcknowledgements(String eventId) {
        acknowledged.remove(eventId);
    }

    private void write(SettleItem item, Row row, SettleRequest request) {
        if (item.fansOut() && item.settlement() instanceof Settlement.Done) {
            acknowledged.remove(row.id());
        }
        switch (item.settlement()) {
            case Settlement.Done done when request.doneRows() == DoneRows.DELETE -> table.delete(row);
            case Settlement.Done done -> table.replace(row.settled(done, table.now()));
            case Settlement.Retry retry -> {
                table.replace(row.settled(retry, table.now()));
                record(item, request.nodeId(), row.id(), retry.error());
            }
            case Settlement.Postponed postponed -> table.replace(row.settled(postponed, table.now()));
            case Settlement.Dead dead -> {
                table.replace(row.settled(dead, table.now()));
                if (dead.counts()) {
                    record(item, request.nodeId(), row.id(), dead.error());
                }
                pause(item.pausesKey(), row.id());
            }
        }
    }

    private void record(SettleItem item, String nodeId, String eventId, String error) {
        attempts.computeIfAbsent(eventId, id -> new ArrayList<>())
                .add(new EventHistory.FailedAttempt(
                        item.expectedAttempts() + 1, nodeId, item.destination(), ErrorText.fit(error), table.now()));
    }

    private void pause(@Nullable String key, String eventId) {
        if (key != null) {
            registry.ownership(new Pause.Subject(Pause.Kind.KEY, key), "event " + eventId + " is dead", "catbox");
        }
    }

    List<EventHistory.FailedAttempt> attempts(String eventId) {
        return List.copyOf(attempts.getOrDefault(eventId, List.of()));
    }
}
