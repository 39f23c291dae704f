package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.dispatch.StoreClock;
import outbox.model.ClaimStrategy;
import outbox.model.Member;
import outbox.model.RelayTerms;
import outbox.model.SettleRequest.Fence;
import outbox.model.SlotHold;
import outbox.relay.deliver.DestinationConfig;
import outbox.relay.deliver.DestinationGate;
import outbox.relay.order.LaneLimits;
import outbox.relay.route.Router;
import outbox.testkit.InMemoryStore;
import outbox.testkit.ManualTime;
import outbox.testkit.RecordingDestination;

class SlotLoopTest {

    private static final RelayTerms TERMS = new RelayTerms(ClaimStrategy.PARTITIONED, 6);
    private static final int MINE = 12; // of slot 0
    private static final int FOREIGN = 13; // of slot 1

    private final ManualTime time = new ManualTime();
    private final InMemoryStore store = new InMemoryStore(time);
    private final Line line = new Line();
    private final SlotLoop loop = loop();

    private SlotLoop loop() {
        store.clusterStore().join(new Member("s", "n", 1, "", ""), TERMS, Duration.ofHours(1));
        SlotHold hold =
                store.clusterStore().acquire(Set.of(0), "s", TERMS).getFirst().hold();
        RelayNode.Stores stores = line.stores(store);
        DestinationGate gate = new DestinationGate(
                "there", new RecordingDestination(), DestinationConfig.defaults(), time, event -> {});
        Surroundings around = new Surroundings(
                RelayConfig.of("n"), Router.everythingTo("there"), Map.of("there", gate), time, event -> {});
        return new SlotLoop(
                new SlotLoop.Tenure(
                        hold,
                        () -> true,
                        () -> true,
                        () -> {},
                        () -> {},
                        () -> 0,
                        Suspects.Past.NONE,
                        new Trial(),
                        new StoreClock(stores.dispatch()::now, time)),
                around,
                new SlotIntake(stores.relay(), TERMS, hold, around),
                new SlotSettling.Fenced(stores.relay(), new Fence.Slot(hold)),
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
