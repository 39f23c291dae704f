package outbox.relay.observe;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.Pause;

/** Something that happened in the engine. */
public sealed interface RelayEvent {

    // ---- cluster -----------------------------------------------------------------------------------------------

    /** This node has joined the cluster. */
    record Joined(String nodeId, String session) implements RelayEvent {}

    /** This node's membership has ended: it left, or it could not prolong it in time. */
    record Left(String nodeId, String reason) implements RelayEvent {}

    /** Who the live nodes are has changed. */
    record MembersChanged(List<String> nodeIds) implements RelayEvent {}

    /** Which live nodes have missed their heartbeats has changed; none when all beat. */
    record MembersMissing(List<String> nodeIds) implements RelayEvent {}

    /** A node's connection to the store has ended and it has missed its heartbeats: its slots are free. */
    record MemberEnded(String nodeId, Duration silentFor) implements RelayEvent {}

    /** This node has prepared: it may be given slots from here on. */
    record Prepared(Duration took) implements RelayEvent {}

    /** This node is to own other slots than before. */
    record Rebalanced(Set<Integer> before, Set<Integer> wanted) implements RelayEvent {}

    /** A heartbeat was written, and how long that took. */
    record HeartbeatSent(Duration took, int members) implements RelayEvent {}

    /** Deliveries wait for a heartbeat: the last one is so old that another node may take this one for dead. */
    record DeliveriesPaused(Duration sinceHeartbeat) implements RelayEvent {}

    /** A heartbeat was answered, and deliveries that waited for it continue. */
    record DeliveriesResumed() implements RelayEvent {}

    record PartitionAcquired(int partition, long epoch, int deaths) implements RelayEvent {

        /** From an owner that gave it back. */
        public PartitionAcquired(int partition, long epoch) {
            this(partition, epoch, 0);
        }
    }

    /** A slot that this node was to own was still another's. */
    record AcquireRefused(int partition) implements RelayEvent {}

    /**
     * A slot was given back.
     *
     * @param abandoned deliveries that were still under way when the time to drain was over, and will be repeated
     */
    record PartitionReleased(int partition, long epoch, int abandoned) implements RelayEvent {}

    /** A slot was lost while events of it were in memory; they will be delivered by its next owner. */
    record PartitionLost(int partition, long epoch, String reason, int abandoned) implements RelayEvent {}

    /** A settlement changed nothing, because the slot or the claims belong to another node by now. */
    record Fenced(int partition, int events) implements RelayEvent {}

    /** Nodes that had expired were removed from the registry. */
    record NodesForgotten(List<String> nodeIds) implements RelayEvent {}

    /** The number of partitions has changed. */
    record Repartitioned(int partitions) implements RelayEvent {}

    // ---- claim, order, deliver, settle --------------------------------------------------------------------------

    record Claimed(int partition, int events) implements RelayEvent {}

    /** A lane waits: for a retry, for a route, or because it was put on hold. */
    record Parked(int partition, int lane, String reason) implements RelayEvent {}

    /** A lane that had waited goes on. */
    record Unparked(int partition, int lane) implements RelayEvent {}

    /**
     * More lanes wait than are remembered one by one. Further ones that have to wait are skipped until some of them may go on;
     * what does not have to wait flows.
     *
     * @param lanes how many are remembered
     */
    record LanesSkipped(int partition, int lanes) implements RelayEvent {}

    /**
     * So many lanes wait that nothing new is read from the slot until one of them goes on.
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

    /** One of several destinations has taken an event, which goes on to the next. */
    record Acknowledged(String eventId, String destination) implements RelayEvent {}

    /** An event is done without being delivered, because its route says so. */
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

    /** An event could not be sent, for no fault of its own: it waits, and no attempt is counted. */
    record Postponed(String eventId, String destination, String error, Duration retryIn) implements RelayEvent {}

    /** An event that was in flight when nodes ended is tried alone; how many in a row that were. */
    record SuspectTried(String eventId, int deaths) implements RelayEvent {}

    /** An event was given up. */
    record Died(String eventId, String destination, int attempt, String reason) implements RelayEvent {}

    record Settled(int partition, int done, int retry, int dead, Duration took) implements RelayEvent {}

    record BreakerChanged(String destination, State state, String reason) implements RelayEvent {
        /** What a circuit breaker lets through: everything, nothing, or one event to try. */
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

    /** One key has had far more than its share of the latest events of its slot. */
    record HotKey(int partition, String key, double share, long events) implements RelayEvent {}

    /**
     * A part of the engine failed and is tried again.
     *
     * @param part one of few names, under which its failures are counted
     */
    record PartFailed(String part, String error, Throwable cause) implements RelayEvent {}
}
