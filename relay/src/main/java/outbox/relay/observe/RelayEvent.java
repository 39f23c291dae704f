package outbox.relay.observe;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.Pause;

/** Something that happened in the relay. */
public sealed interface RelayEvent {

    // ---- cluster -----------------------------------------------------------------------------------------------

    /** This node has joined the cluster. */
    record Joined(String nodeId, String session) implements RelayEvent {}

    /** This node's membership has ended: it left, or it could not renew the membership in time. */
    record Left(String nodeId, String reason) implements RelayEvent {}

    /** The live nodes have changed. */
    record MembersChanged(List<String> nodeIds) implements RelayEvent {}

    /** The live nodes that miss heartbeats have changed; empty when none does. */
    record MembersMissing(List<String> nodeIds) implements RelayEvent {}

    /** A node's connection to the store has ended and it has missed its heartbeats: its partitions are free. */
    record MemberEnded(String nodeId, Duration silentFor) implements RelayEvent {}

    /** This node has prepared, and may own partitions from now on. */
    record Prepared(Duration took) implements RelayEvent {}

    /** The partitions that this node is to own have changed. */
    record Rebalanced(Set<Integer> before, Set<Integer> wanted) implements RelayEvent {}

    /** A heartbeat was written. */
    record HeartbeatSent(Duration took, int members) implements RelayEvent {}

    /** Deliveries are paused until the next heartbeat, because other nodes may consider this one dead. */
    record DeliveriesPaused(Duration sinceHeartbeat) implements RelayEvent {}

    /** A heartbeat was answered, and deliveries resume. */
    record DeliveriesResumed() implements RelayEvent {}

    record PartitionAcquired(int partition, long epoch, int deaths) implements RelayEvent {

        /** Acquired from an owner that released it. */
        public PartitionAcquired(int partition, long epoch) {
            this(partition, epoch, 0);
        }
    }

    /** Another node still owned a partition that this node is to own. */
    record AcquireRefused(int partition) implements RelayEvent {}

    /**
     * This node has released a partition.
     *
     * @param abandoned deliveries that were still in flight after the drain timeout, and will be repeated
     */
    record PartitionReleased(int partition, long epoch, int abandoned) implements RelayEvent {}

    /** This node has lost a partition; the next owner delivers the events that were in memory. */
    record PartitionLost(int partition, long epoch, String reason, int abandoned) implements RelayEvent {}

    /** Settlements changed nothing, because another node has the partition or the claims. */
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
     * More lanes wait than are remembered one by one. Further waiting lanes are skipped until some of them may
     * continue; all others are delivered.
     *
     * @param lanes how many are remembered
     */
    record LanesOverflowed(int partition, int lanes) implements RelayEvent {}

    /**
     * Too many lanes of a partition wait: no new events are read until one of them continues.
     *
     * @param waitFor the destination and its address that many of them wait for; null when unknown
     */
    record LanesFull(int partition, int lanes, @Nullable String waitFor) implements RelayEvent {}

    /**
     * An event was delivered.
     *
     * @param latency the time from being stored to being acknowledged, by the clocks of the database and of this node
     */
    record Delivered(int partition, String destination, Duration latency) implements RelayEvent {}

    /** One of several destinations has acknowledged an event, which continues to the next. */
    record Acknowledged(String eventId, String destination) implements RelayEvent {}

    /** An event is done without being delivered, because its route drops it. */
    record Dropped(String eventId, String route, String reason) implements RelayEvent {}

    /** The routes were replaced. */
    record Rerouted(List<String> routes) implements RelayEvent {}

    /** A destination was added, replaced or removed while the relay runs. */
    record DestinationChanged(String destination, Change change) implements RelayEvent {
        /** How it changed. */
        public enum Change {
            ADDED,
            REPLACED,
            REMOVED
        }
    }

    /** An attempt failed and will be repeated. */
    record AttemptFailed(String eventId, String destination, int attempt, String error, Duration retryIn)
            implements RelayEvent {}

    /** An event was not sent because its destination is unavailable: it waits, and no attempt is counted. */
    record Postponed(String eventId, String destination, String error, Duration retryIn) implements RelayEvent {}

    /** An event that was in flight when nodes ended is tried alone. */
    record SuspectTried(String eventId, int deaths) implements RelayEvent {}

    /** An event is dead. */
    record Died(String eventId, String destination, int attempt, String reason) implements RelayEvent {}

    record Settled(int partition, int done, int retry, int dead, Duration took) implements RelayEvent {}

    record BreakerChanged(String destination, State state, String reason) implements RelayEvent {
        /** Closed admits all events, open none, and half open one event as a probe. */
        public enum State {
            CLOSED,
            OPEN,
            HALF_OPEN
        }
    }

    /** An address of a destination has become unavailable, or available again; the destination itself works. */
    record AddressChanged(String destination, String address, boolean available, String reason) implements RelayEvent {}

    record Paused(Pause pause) implements RelayEvent {}

    record Resumed(Pause.Subject subject) implements RelayEvent {}

    // ---- hot spots and failures ----------------------------------------------------------------------------------

    /** One partition has had far more than its share of the latest events. */
    record HotPartition(int partition, double share, long events) implements RelayEvent {}

    /** One key has had far more than its share of the latest events of its partition. */
    record HotKey(int partition, String key, double share, long events) implements RelayEvent {}

    /**
     * A part of the relay failed and is tried again.
     *
     * @param part one of a few names, under which its failures are counted
     */
    record PartFailed(String part, String error, Throwable cause) implements RelayEvent {}
}
