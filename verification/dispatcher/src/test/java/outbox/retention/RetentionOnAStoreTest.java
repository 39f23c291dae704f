package outbox.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.dispatch.Instance;
import outbox.testkit.World;

/** The purger on a store; core tests it without one. */
class RetentionOnAStoreTest {

    private static final ZoneId UTC = ZoneId.of("UTC");

    @Test
    void purgesInChunksUntilNothingOldIsLeft() {
        List<Integer> chunks = new ArrayList<>();
        World world = worldWithDone(25);
        world.time.advance(Duration.ofDays(8));
        RetentionConfig config = new RetentionConfig(Duration.ofDays(7), LocalTime.of(3, 0), UTC, 10);
        RetentionPurger purger = new RetentionPurger(
                (olderThan, max) -> {
                    chunks.add(world.store.retentionStore().purgeDone(olderThan, max));
                    return chunks.get(chunks.size() - 1);
                },
                config,
                world.time);

        assertThat(purger.purge()).isEqualTo(25);
        assertThat(chunks).containsExactly(10, 10, 5);
    }

    @Test
    void keepsWhatIsYoungerThanConfigured() {
        World world = worldWithDone(3);
        EventEnvelope pending = World.event();
        world.store(pending);
        world.time.advance(Duration.ofDays(7).minusSeconds(1));
        RetentionPurger purger =
                new RetentionPurger(world.store.retentionStore(), RetentionConfig.defaults(), world.time);

        assertThat(purger.purge()).isZero();
        world.time.advance(Duration.ofSeconds(2));
        assertThat(purger.purge()).isEqualTo(3);
        assertThat(world.store.operatorStore().find(pending.eventId())).isPresent();
    }

    private static World worldWithDone(int count) {
        World world = new World();
        Instance instance = Instance.in(world);
        for (int n = 0; n < count; n++) {
            instance.publish(World.event());
        }
        instance.work();
        return world;
    }
}
