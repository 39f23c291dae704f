package outbox.relay.observe;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.Pause;

/** An event of the engine. */
public sealed interface RelayEvent {

    // ---- cluster -----------------------------------------------------------------------------------------------

    /** This node has joined the cluster. */
    record Joined(String nodeId, String session) implements RelayEvent {}

    /** This node's membership has ended: it left, or its lease could not be renewed in time. */
    record Left(String nodeId, String reason) implements RelayEvent {}

    /** The set of live nodes has changed. */
    record MembersChanged(List<String> nodeIds) implements RelayEvent {}

    /** The set of live nodes that have missed their heartbeats has changed; empty when all send them. */
    record MembersMissing(List<String> nodeIds) implements RelayEvent {}

    /** A node's connection to the store has ended and it has missed its heartbeats: its partitions are free. */
    record MemberEnded(String nodeId, Duration silentFor) implements RelayEvent {}

    /** This node is prepared, and may be given partitions. */
    record Prepared(Duration took) implements RelayEvent {}

    /** The partitions that this node is to own have changed. */
    record Rebalanced(Set<Integer> before, Set<Integer> wanted) implements RelayEvent {}

    /** A heartbeat was written, and how long that took. */
    record HeartbeatSent(Duration took, int members) implements RelayEvent {}

    /** Deliveries wait for a heartbeat: the last one is so old that another node may take this one for dead. */
    record DeliveriesPaused(Duration sinceHeartbeat) implements RelayEvent {}

    /** A heartbeat was answered, and deliveries that waited for it continue. */
    record DeliveriesResumed() implements RelayEvent {}

    record PartitionAcquired(int partition, long epoch, int deaths) implements RelayEvent {

        /** Acquired from an owner that released it. */
        public PartitionAcquired(int partition, long epoch) {
            this(partition, epoch, 0);
        }
    }

    /** A partition that this node was to own still belongs to another node. */
    record AcquireRefused(int partition) implements RelayEvent {}

    /**
     * A partition was released.
     *
     * @param abandoned deliveries that were in flight when the drain timeout was over, and will be repeated
     */
    record PartitionReleased(int partition, long epoch, int abandoned) implements RelayEvent {}

    /** A partition was lost while events of it were in memory; its next owner delivers them. */
    record PartitionLost(int partition, long epoch, String reason, int abandoned) implements RelayEvent {}

    /** A settlement changed nothing, because the partition or the claims belong to another node. */
    record Fenced(int partition, int events) implements RelayEvent {}

    /** Nodes that had expired were removed from the registry. */
    record NodesForgotten(List<String> nodeIds) implements RelayEvent {}

    /** The number of partitions has changed. */
    record Repartitioned(int partitions) implements RelayEvent {}

    // ---- claim, order, deliver, settle --------------------------------------------------------------------------

    record Claimed(int partition, int events) implements RelayEvent {}

    /** A lane waits: for a retry, for a route, or because it is paused. */
    record Parked(int partition, int lane, String reason) implements RelayEvent {}

    /** A lane that waited continues. */
    record Unparked(int partition, int lane) implements RelayEvent {}

    /**
     * More lanes wait than are remembered one by one. Of further lanes, only the fact that they wait is remembered until some
     * of them may continue; lanes that need not wait are delivered.
     *
     * @param lanes how many are remembered
     */
    record LanesSkipped(int partition, int lanes) implements RelayEvent {}

    /**
     * Too many lanes wait: nothing new is fetched from the partition until one of them continues.
     *
     * @param waitFor the destination, with the address there, that many of them wait for; null when unknown
     */
    record LanesFull(int partition, int lanes, @Nullable String waitFor) implements RelayEvent {}

    /**
     * An event was delivered.
     *
     * @param latency from being stored to being acknowledged, by the clocks of the database and of this node
     */
    record Delivered(int partition, String destination, Duration latency) implements RelayEvent {}

    /** One of several destinations has acknowledged an event, which is delivered to the next. */
    record Acknowledged(String eventId, String destination) implements RelayEvent {}

    /** An event is done without being delivered, because its route drops it. */
    record Dropped(String eventId, String route, String reason) implements RelayEvent {}

    /** The routes were replaced. */
    record Rerouted(List<String> routes) implements RelayEvent {}

    /** A destination was added, replaced or removed while the relay works. */
    record DestinationChanged(String destination, Change change) implements RelayEvent {
        /** What became of it. */
        public enum Change {
            ADDED,
            REPLACED,
            REMOVED
        }
    }

    /** An attempt failed and will be repeated. */
    record AttemptFailed(String eventId, String destination, int attempt, String error, Duration retryIn)
            implements RelayEvent {}

    /** An event could not be sent because its destination is unavailable: it waits, and no attempt is counted. */
    record Postponed(String eventId, String destination, String error, Duration retryIn) implements RelayEvent {}

    /** An event that was in flight when nodes ended is tried alone. */
    record SuspectTried(String eventId, int deaths) implements RelayEvent {}

    /** An event was given up. */
    record Died(String eventId, String destination, int attempt, String reason) implements RelayEvent {}

    record Settled(int partition, int done, int retry, int dead, Duration took) implements RelayEvent {}

    record BreakerChanged(String destination, State state, String reason) implements RelayEvent {
        /** What a circuit breaker lets through: everything, nothing, or one event that probes. */
        public enum State {
            CLOSED,
            OPEN,
            HALF_OPEN
        }
    }

    /** An address of a destination has become unavailable, or available again; the destination itself works. */
    record AddressChanged(String destination, String address, boolean available, String reason) implements RelayEvent {}

    record PausesChanged(Pause pause) implements RelayEvent {}

    record Resumed(Pause.Subject subject) implements RelayEvent {}

    // ---- hot spots and failures ----------------------------------------------------------------------------------

    /** One partition has had far more than its share of the latest events. */
    record HotPartition(int partition, double share, long events) implements RelayEvent {}

    /** One key has had far more than its share of the latest events of its partition. */
    record HotKey(int partition, String key, double share, long events) implements RelayEvent {}

    /**
     * A part of the engine failed and is tried again.
     *
     * @param part one of few names, under which its failures are counted
     */
    record PartFailed(String part, String error, Throwable cause) implements RelayEvent {}
}
