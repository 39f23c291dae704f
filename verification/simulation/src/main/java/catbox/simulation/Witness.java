package catbox.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import outbox.internal.KeyHash;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.relay.SettleConfig.OnDeadEvent;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.Pause;
import outbox.testkit.SimulatedStore;

/**
 * Checks ownership during the run: only the owner of a partition begins its deliveries or changes its events,
 * and nothing is settled twice.
 */
final class Witness {

    private final World world;
    private final SimulatedStore store;
    private final Scenario scenario;
    private final Map<Integer, Long> epochs = new HashMap<>();
    private final Map<Integer, String> owners = new HashMap<>();
    private final Map<Integer, Long> acquiredNanos = new HashMap<>();
    private final Map<Integer, String> sessions = new HashMap<>();
    private final List<Predicate<String>> believers = new ArrayList<>();
    private final Set<String> disconnected = new HashSet<>();
    private final Set<String> done = new HashSet<>();
    private final Set<Reached> reached = EnumSet.noneOf(Reached.class);
    private final Set<String> claimed = new HashSet<>();
    private boolean storeClockWasSet;

    Witness(World world, SimulatedStore store, Scenario scenario) {
        this.world = world;
        this.store = store;
        this.scenario = scenario;
    }

    // ---- what was put to the test --------------------------------------------------------------------------------

    void reached(Reached what) {
        reached.add(what);
    }

    Set<Reached> reached() {
        return reached;
    }

    void fetched(PartitionFetch request, PartitionPage fetched) {
        int events = fetched.events().size();
        if (!fetched.complete() && events < request.eventsMax()) {
            reached(Reached.BYTES_MAX);
        }
        long lanes = fetched.events().stream()
                .mapToInt(FetchedEvent::keyHash)
                .distinct()
                .count();
        if (events > lanes * scenario.eventsPerLaneMax()) {
            reached(Reached.EVENTS_PER_LANE_MAX);
        }
    }

    void claimed(List<OutboxEvent> events) {
        for (OutboxEvent event : events) {
            if (!claimed.add(event.eventId())) {
                reached(Reached.CLAIM_EXPIRED);
            }
        }
    }

    void released(Set<Claim> claims) {
        claims.forEach(claim -> claimed.remove(claim.eventId()));
    }

    void renewed(Set<Claim> asked, Set<Claim> kept) {
        if (!kept.isEmpty()) {
            reached(Reached.CLAIM_RENEWED);
        }
        if (kept.size() < asked.size()) {
            reached(Reached.CLAIM_LOST);
        }
    }

    // ---- partitions ----------------------------------------------------------------------------------------------

    /** Whether a node believes that a session of its own has a lease. */
    void asks(Predicate<String> believer) {
        believers.add(believer);
    }

    /** A session was ended because its connection has ended: it begins nothing, but may still believe in its lease. */
    void endedDisconnected(String session) {
        disconnected.add(session);
    }

    /** A partition has a new owner. */
    void acquired(PartitionOwnership ownership, String node) {
        int partition = ownership.partition();
        long epoch = ownership.epoch();
        String session = ownership.owner();
        String former = owners.containsKey(partition) ? sessions.get(partition) : null;
        boolean isExpired = former != null && !former.equals(session) && !disconnected.contains(former);
        if (isExpired
                && !storeClockWasSet
                && world.leaseError().isZero()
                && believers.stream().anyMatch(believes -> believes.test(former))) {
            world.violation("lease: " + node + " got partition " + partition + " although session " + former + " of "
                    + owners.get(partition) + " believes in its lease");
        }
        sessions.put(partition, session);
        long before = epochs.getOrDefault(partition, 0L);
        if (epoch <= before) {
            world.violation("epoch: " + node + " got partition " + partition + " at epoch " + epoch + ", and it was at "
                    + before);
        }
        world.note(node, "gets partition", partition + " at epoch " + epoch);
        epochs.put(partition, epoch);
        owners.put(partition, node);
        acquiredNanos.put(partition, world.nowNanos());
    }

    void released(PartitionOwnership ownership) {
        if (epochs.getOrDefault(ownership.partition(), 0L) == ownership.epoch()) {
            world.note(ownership.owner(), "releases partition", ownership.partition());
            owners.remove(ownership.partition());
        }
    }

    /** Whatever was owned before is fenced from here on. */
    void repartitioned(String node) {
        world.note(node, "repartitions to", store.partitions());
        epochs.replaceAll((partition, epoch) -> epoch + 1);
        owners.clear();
    }

    /** From here on a lease may end before its holder can know. */
    void storeClockIsSet() {
        storeClockWasSet = true;
    }

    // ---- deliver -------------------------------------------------------------------------------------------------

    /** A node begins to deliver an event. */
    void begins(String node, String eventId, String key) {
        if (!scenario.keepsOrder()) {
            return;
        }
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, store.partitions());
        int partition = terms.partitionOf(KeyHash.of(key));
        String owner = owners.getOrDefault(partition, "no node");
        if (!owner.equals(node)) {
            if (!storeClockWasSet && !mayNotKnowYet(partition)) {
                world.violation("lease: " + node + " began to deliver " + eventId + " of partition " + partition
                        + ", which is " + owner + "'s");
            }
            return;
        }
        store.clusterAdmin().pauses().stream()
                .filter(pause -> pause.by().equals("catbox") && isOf(key, pause))
                .forEach(pause -> world.violation(
                        "pause: " + node + " began to deliver " + eventId + " although " + pause.reason()));
    }

    private boolean mayNotKnowYet(int partition) {
        long since = world.nowNanos() - acquiredNanos.getOrDefault(partition, Long.MIN_VALUE / 2);
        return since < world.leaseError().toNanos();
    }

    /** Where an event was acknowledged it must not go again, once that is written. */
    void goesTo(String node, String eventId, String destination) {
        boolean acknowledged = store.relayStore()
                .acknowledged(List.of(eventId))
                .getOrDefault(eventId, Set.of())
                .contains(destination);
        if (acknowledged && !storeClockWasSet && scenario.keepsOrder()) {
            world.violation(
                    "sent again: " + node + " sends " + eventId + " to " + destination + ", which has acknowledged it");
        }
    }

    private static boolean isOf(String key, Pause pause) {
        return pause.subject().equals(new Pause.Subject(Pause.Kind.KEY, key));
    }

    // ---- settle --------------------------------------------------------------------------------------------------

    /** A node settles events. */
    SettleResult settles(String node, SettleRequest request, Supplier<SettleResult> effect) {
        request.items().forEach(item -> claimed.remove(item.eventId()));
        List<SettleItem> open = request.items().stream().filter(this::isPending).toList();
        SettleResult result = effect.get();
        int events = result instanceof SettleResult.Settled settled ? settled.written() : 0;
        if (events > open.size()) {
            world.violation("settled twice: " + node + " changed " + events + " events, and only " + open.size()
                    + " were pending");
        }
        for (SettleItem item : open) {
            if (item.settlement() instanceof Settlement.Done(var claim)
                    && !isPending(item)
                    && !done.add(claim.eventId())) {
                world.violation("settled twice: " + claim.eventId() + " was done before " + node + " settled it");
            }
            if (item.settlement() instanceof Settlement.Dead(var claim, var error, var counts)) {
                store.operatorStore().find(claim.eventId()).ifPresent(this::died);
            }
        }
        if (request.fence() instanceof Fence.Ownership(PartitionOwnership ownership)
                && result instanceof SettleResult.Settled) {
            long epoch = epochs.getOrDefault(ownership.partition(), ownership.epoch());
            if (epoch != ownership.epoch()) {
                world.violation("fence: " + node + " changed " + events + " event(s) of partition "
                        + ownership.partition() + " at epoch " + ownership.epoch() + ", and it was at " + epoch);
            }
        }
        return result;
    }

    private void died(OutboxEvent event) {
        String key = event.orderingKey();
        boolean pauses = scenario.keepsOrder() && scenario.onDeadEvent() == OnDeadEvent.PAUSE_KEY;
        if (key != null && pauses && event.status() == EventStatus.DEAD && !isPaused(key)) {
            world.violation("pause: " + event.eventId() + " is dead, and key " + key + " is not paused");
        }
    }

    private boolean isPaused(String key) {
        return store.clusterAdmin().pauses().stream().anyMatch(pause -> isOf(key, pause));
    }

    private boolean isPending(SettleItem item) {
        return store.operatorStore()
                .find(item.eventId())
                .map(OutboxEvent::status)
                .filter(status -> status == EventStatus.NEW || status == EventStatus.RETRY)
                .isPresent();
    }
}
