package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxConfig;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.spi.HotPath;
import outbox.testkit.ForwardingStore;
import outbox.testkit.World;

/** More events at once than the hot queue takes: none of them waits for the poller's interval. */
class BurstTest {

    private static final int QUEUE = 100;

    private final World world = new World();
    private final AtomicInteger released = new AtomicInteger();

    @Test
    void aBurstOfTenQueuesNeverWaitsForTheInterval() {
        Instance instance = instance();
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < 10 * QUEUE; i++) {
            events.add(instance.publish(World.event()));
        }

        drive.run(Duration.ofMillis(10));

        assertAllDone(events);
        assertThat(released).as("claims that had to be released").hasValue(0);
    }

    @Test
    void aBurstOfTransactionsThatBeganBeforeItDoesNotWaitEither() {
        Instance instance = instance();
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        HotPath.Handover whileEmpty = instance.dispatcher().prepare();
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < 10 * QUEUE; i++) {
            events.add(world.publish(() -> whileEmpty, World.event()));
        }

        drive.run(Duration.ofMillis(10));

        assertAllDone(events);
        assertThat(released).hasValue(9 * QUEUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 100})
    void eventsAreStoredUnclaimedFromThreeQuartersOn(int capacity) {
        Instance instance = Instance.builder(world)
                .with(config -> config.setHotQueueCapacity(capacity))
                .build();

        assertThat(publishWhileHandedOver(instance, capacity)).isEqualTo((3 * capacity + 3) / 4);
        EventEnvelope event = instance.publish(World.event());
        assertThat(world.isFree(event)).isTrue();
        assertThat(instance.wakeUps()).contains(Duration.ZERO);
    }

    @Test
    void eventsAreHandedOverAgainOnceThereIsRoom() {
        Instance instance = instance();
        assertThat(publishWhileHandedOver(instance, QUEUE)).isLessThan(QUEUE);

        instance.deliverOne();

        assertThat(instance.dispatcher().prepare().claim()).isNotNull();
    }

    private static int publishWhileHandedOver(Instance instance, int max) {
        int handedOver = 0;
        while (handedOver <= max && instance.dispatcher().prepare().claim() != null) {
            instance.publish(World.event());
            handedOver++;
        }
        return handedOver;
    }

    private Instance instance() {
        ForwardingStore counting = new ForwardingStore(world.store) {
            @Override
            public int release(Set<Claim> claims) {
                released.addAndGet(claims.size());
                return super.release(claims);
            }
        };
        return Instance.builder(world)
                .store(counting)
                .with(config -> config.setHotQueueCapacity(QUEUE)
                        .setColdQueueCapacity(QUEUE)
                        .setPollerSkipRecentMs(
                                new OutboxConfig().pollerSkipRecent().toMillis()))
                .build();
    }

    private void assertAllDone(List<EventEnvelope> events) {
        assertThat(events).allSatisfy(event -> assertThat(world.status(event)).isEqualTo(EventStatus.DONE));
    }
}
