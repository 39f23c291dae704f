package outbox.relay.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.dispatch.StoreClock;
import outbox.relay.DestinationConfig;
import outbox.relay.Line;
import outbox.relay.RelayConfig;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.order.LaneLimits;
import outbox.relay.route.Router;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.RelayStores;
import outbox.testkit.InMemoryStore;
import outbox.testkit.ManualTime;
import outbox.testkit.RecordingDestination;

class DeliveryLoopTest {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final int MINE = 12; // of partition 0
    private static final int FOREIGN = 13; // of partition 1

    private final ManualTime time = new ManualTime();
    private final InMemoryStore store = new InMemoryStore(time);
    private final Line line = new Line();
    private final DeliveryLoop loop = loop();

    private DeliveryLoop loop() {
        store.clusterStore().join(new Member("s", "n", 1, "", ""), TERMS, Duration.ofHours(1));
        PartitionOwnership hold =
                store.clusterStore().acquire(Set.of(0), "s", TERMS).getFirst().ownership();
        RelayStores stores = line.stores(store);
        DestinationGate gate = new DestinationGate(
                "there", new RecordingDestination(), DestinationConfig.defaults(), time, event -> {});
        RelayContext around = new RelayContext(
                RelayConfig.of("n"),
                Router.everythingTo("there"),
                Map.of("there", gate),
                time,
                event -> {},
                Pacing.MEASURED);
        Fetcher fetcher = new Fetcher(stores.partitions(), around.router(), time, around.listener(), Pacing.MEASURED);
        return new DeliveryLoop(
                new LoopOwner(
                        hold,
                        TERMS,
                        () -> true,
                        () -> true,
                        new PartitionClaimer(fetcher, TERMS, hold, around),
                        stores.partitions(),
                        new Fence.Ownership(hold),
                        Suspects.Past.NONE),
                new LoopNode(
                        () -> {}, () -> {}, () -> 0, new SuspectLock(), new StoreClock(stores.claims()::now, time)),
                around,
                new LaneLimits(100, 1 << 20, 100, 100));
    }

    @Test
    void looksUpALaneInWhichSomethingCameDue() {
        loop.cameDue(List.of(MINE));
        loop.runOnce();
        assertThat(line.calls("fetchLanes")).isEqualTo(1);
    }

    /** The partitions may have been counted anew since the poll that names them was begun. */
    @Test
    void leavesALaneAloneThatIsAnotherSlots() {
        loop.cameDue(List.of(FOREIGN));
        loop.runOnce();
        assertThat(line.calls("fetchLanes")).isZero();
    }
}
