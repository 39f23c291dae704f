package outbox.relay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.relay.observe.RelayMetrics.Counter;
import outbox.spi.relay.Pause;

class RelayMetricsTest {

    private final RelayMetrics metrics = new RelayMetrics();

    @Test
    void countsNothingAtFirst() {
        assertThat(Arrays.stream(Counter.values()).mapToLong(metrics::count)).containsOnly(0L);
        assertThat(metrics.deliveredByPartition()).isEmpty();
        assertThat(metrics.latencyByDestination()).isEmpty();
        assertThat(metrics.settleLatency().count()).isZero();
        assertThat(metrics.members()).isZero();
    }

    @Test
    void countsEventsByWhatBecameOfThem() {
        on(new RelayEvent.Claimed(1, 7));
        on(new RelayEvent.AttemptFailed("e", "d", 1, "x", Duration.ZERO));
        on(new RelayEvent.Died("e", "d", 2, "x"));
        on(new RelayEvent.Settled(1, 4, 2, 1, Duration.ofMillis(1)));
        on(new RelayEvent.Parked(1, 2, "retry"));
        on(new RelayEvent.Fenced(1, 5));

        assertCounts(Map.of(
                Counter.CLAIMED, 7L,
                Counter.ATTEMPTS_FAILED, 2L,
                Counter.SETTLED_DONE, 4L,
                Counter.SETTLED_RETRY, 2L,
                Counter.SETTLED_DEAD, 1L,
                Counter.PARKED, 1L,
                Counter.FENCED, 5L));
        assertThat(metrics.settleLatency().count()).isEqualTo(1);
    }

    @Test
    void countsHowSlotsComeAndGo() {
        on(new RelayEvent.PartitionAcquired(1, 2));
        on(new RelayEvent.AcquireRefused(1));
        on(new RelayEvent.PartitionReleased(1, 2, 3));
        on(new RelayEvent.PartitionLost(1, 2, "x", 4));
        on(new RelayEvent.Rebalanced(Set.of(), Set.of(1)));

        assertCounts(Map.of(
                Counter.ACQUIRED, 1L,
                Counter.ACQUIRE_REFUSED, 1L,
                Counter.RELEASED, 1L,
                Counter.LOST, 1L,
                Counter.ABANDONED, 7L,
                Counter.REBALANCED, 1L));
    }

    @Test
    void countsWhatIsAmiss() {
        on(new RelayEvent.BreakerChanged("d", State.OPEN, "x"));
        on(new RelayEvent.BreakerChanged("d", State.HALF_OPEN, "x"));
        on(new RelayEvent.BreakerChanged("d", State.CLOSED, "x"));
        on(new RelayEvent.HotPartition(1, 0.9, 10));
        on(new RelayEvent.HotKey(1, "k", 0.9, 10));
        on(new RelayEvent.PartFailed("p", "x", new IllegalStateException()));

        assertCounts(Map.of(Counter.BREAKER_OPENED, 1L, Counter.HOT_SPOTS, 2L, Counter.FAILURES, 1L));
    }

    @Test
    void countsNothingForWhatIsOnlyToBeRead() {
        Pause.Subject source = new Pause.Subject(Pause.Kind.SOURCE, "");
        on(new RelayEvent.Joined("n", "s"));
        on(new RelayEvent.MembersChanged(List.of("n")));
        on(new RelayEvent.NodesForgotten(List.of("n")));
        on(new RelayEvent.Repartitioned(3));
        on(new RelayEvent.Unparked(1, 2));
        on(new RelayEvent.LanesOverflowed(1, 2));
        on(new RelayEvent.LanesFull(1, 2, null));
        on(new RelayEvent.Paused(new Pause(source, "x", "y", Instant.EPOCH)));
        on(new RelayEvent.Resumed(source));

        assertCounts(Map.of());
    }

    @Test
    void tellsSlotsAndDestinationsApart() {
        on(new RelayEvent.Delivered(1, "orders", Duration.ofMillis(1)));
        on(new RelayEvent.Delivered(1, "mail", Duration.ofMillis(1)));
        on(new RelayEvent.Delivered(2, "orders", Duration.ofMillis(1)));

        assertThat(metrics.count(Counter.DELIVERED)).isEqualTo(3);
        assertThat(metrics.deliveredByPartition()).isEqualTo(Map.of(1, 2L, 2, 1L));
        assertThat(metrics.latencyByDestination()).containsOnlyKeys("orders", "mail");
        assertThat(metrics.latencyByDestination().get("orders").count()).isEqualTo(2);
    }

    @Test
    void knowsTheMembersAndTheSlowestBeat() {
        on(new RelayEvent.HeartbeatSent(Duration.ofMillis(3), 4));
        on(new RelayEvent.HeartbeatSent(Duration.ofMillis(9), 3));
        on(new RelayEvent.HeartbeatSent(Duration.ofMillis(1), 2));

        assertThat(metrics.members()).isEqualTo(2);
        assertThat(metrics.slowestHeartbeat()).isEqualTo(Duration.ofMillis(9));
        assertThat(metrics.count(Counter.HEARTBEATS)).isEqualTo(3);
        on(new RelayEvent.Left("n", "x"));
        assertThat(metrics.members()).isZero();
    }

    private void on(RelayEvent event) {
        metrics.on(event);
    }

    private void assertCounts(Map<Counter, Long> expected) {
        for (Counter counter : Counter.values()) {
            assertThat(metrics.count(counter)).as("%s", counter).isEqualTo(expected.getOrDefault(counter, 0L));
        }
    }
}
