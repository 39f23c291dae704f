package outbox.micrometer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.Pause;

/** One event of every kind that a relay publishes. */
final class SampleEvents {

    private SampleEvents() {}

    static List<RelayEvent> withIdAndKey(String eventId, String key) {
        Duration moment = Duration.ofMillis(3);
        return List.of(
                new RelayEvent.Joined("node-1", eventId),
                new RelayEvent.HeartbeatSent(moment, 2),
                new RelayEvent.Left("node-1", "it was stopped"),
                new RelayEvent.MembersChanged(List.of("node-1")),
                new RelayEvent.MembersMissing(List.of("node-2")),
                new RelayEvent.MemberEnded("node-2", moment),
                new RelayEvent.DeliveriesPaused(moment),
                new RelayEvent.DeliveriesResumed(),
                new RelayEvent.Prepared(moment),
                new RelayEvent.Rebalanced(Set.of(), Set.of(0)),
                new RelayEvent.PartitionAcquired(0, 1),
                new RelayEvent.AcquireRefused(1),
                new RelayEvent.PartitionReleased(0, 1, 2),
                new RelayEvent.PartitionLost(0, 1, "late", 2),
                new RelayEvent.Fenced(0, 1),
                new RelayEvent.NodesForgotten(List.of("node-2")),
                new RelayEvent.Repartitioned(12),
                new RelayEvent.Claimed(0, 10),
                new RelayEvent.Parked(0, 4711, "retry of " + eventId),
                new RelayEvent.Unparked(0, 4711),
                new RelayEvent.LanesOverflowed(0, 1_000),
                new RelayEvent.LanesFull(0, 1_000, "kafka"),
                new RelayEvent.Delivered(0, "kafka-main", moment),
                new RelayEvent.Acknowledged(eventId, "kafka-main"),
                new RelayEvent.Dropped(eventId, "noise", "not needed"),
                new RelayEvent.Rerouted(List.of("orders")),
                new RelayEvent.DestinationChanged("kafka-main", RelayEvent.DestinationChanged.Change.ADDED),
                new RelayEvent.AttemptFailed(eventId, "kafka-main", 1, "refused", moment),
                new RelayEvent.Postponed(eventId, "kafka-main", "down", moment),
                new RelayEvent.SuspectTried(eventId, 2),
                new RelayEvent.Died(eventId, "kafka-main", 10, "down"),
                new RelayEvent.Settled(0, 1, 1, 1, moment),
                new RelayEvent.BreakerChanged("kafka-main", RelayEvent.BreakerChanged.State.HALF_OPEN, "rested"),
                new RelayEvent.AddressChanged("kafka-main", "orders", false, "the topic does not exist"),
                new RelayEvent.Paused(hold(key)),
                new RelayEvent.Resumed(hold(key).subject()),
                new RelayEvent.HotPartition(0, 0.5, 10_000),
                new RelayEvent.HotKey(0, key, 0.5, 10_000),
                new RelayEvent.PartFailed(
                        "the router", "event " + eventId + ": broken", new IllegalStateException("broken")));
    }

    private static Pause hold(String key) {
        return new Pause(new Pause.Subject(Pause.Kind.KEY, key), "for a while", "ann", Instant.EPOCH);
    }
}
