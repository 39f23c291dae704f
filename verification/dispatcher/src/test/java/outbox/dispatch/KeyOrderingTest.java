package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Ordering;
import outbox.model.EventStatus;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

/** Instances that keep the order of each key. */
class KeyOrderingTest {

    private final World world = new World();

    @Test
    void aCommittedEventOnlyWakesThePoller() {
        Instance instance = ordered();
        EventEnvelope event = instance.publish(World.ofKey("k"));

        assertThat(instance.deliverOne()).isFalse();
        assertThat(instance.wakeUps()).containsExactly(Duration.ZERO);
        assertThat(world.isFree(event)).isTrue();

        instance.poll();
        instance.work();
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void anEventWithoutAClaimOnlyWakesThePoller() {
        Instance instance = ordered();
        EventEnvelope event = World.ofKey("k");
        world.store(event);

        assertThat(instance.enqueueCold(event, 0)).isFalse();

        assertThat(instance.deliverOne()).isFalse();
        assertThat(instance.wakeUps()).containsExactly(Duration.ZERO);
    }

    @Test
    void looksAgainOnceAnEventIsSettled() {
        Instance instance = ordered();
        world.store(World.ofKey("k"), World.ofKey("k"));
        instance.poll();
        assertThat(instance.wakeUps()).isEmpty();

        instance.work();

        assertThat(instance.wakeUps()).containsExactly(Duration.ZERO);
    }

    @Test
    void keepsTheOrderOfAKeyAcrossInstances() {
        List<String> delivered = new ArrayList<>();
        Instance first = ordered();
        Instance second = ordered();
        first.listeners().registerAll(event -> delivered.add(event.eventId()));
        second.listeners().registerAll(event -> delivered.add(event.eventId()));
        List<String> published = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            EventEnvelope event = World.ofKey("k");
            world.store(event);
            published.add(event.eventId());
        }

        first.poll();
        second.poll();
        assertThat(second.deliverOne()).isFalse();
        for (int n = 0; n < 6; n++) {
            first.work();
            second.poll();
            first.poll();
            second.work();
            first.poll();
        }

        assertThat(delivered).containsExactlyElementsOf(published);
        assertThat(first.listener().events()).isNotEmpty();
        assertThat(second.listener().events()).isNotEmpty();
    }

    @Test
    void holdsAKeyAndOnlyThatKeyUntilItsRetryHasSucceeded() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setOrdering(Ordering.KEY))
                .listener(new RecordingListener().failingWith(new Exception("broker down")))
                .build();
        EventEnvelope first = World.ofKey("k");
        EventEnvelope second = World.ofKey("k");
        EventEnvelope other = World.ofKey("other");
        world.store(first);
        instance.poll();
        instance.work();
        world.store(second, other);
        instance.poll();
        instance.work();

        assertThat(world.status(first)).isEqualTo(EventStatus.RETRY);
        assertThat(world.status(second)).isEqualTo(EventStatus.NEW);
        assertThat(world.status(other)).isEqualTo(EventStatus.DONE);

        world.time.advance(Duration.ofSeconds(1));
        instance.poll();
        instance.work();
        instance.poll();
        instance.work();

        assertThat(instance.listener().ids())
                .containsExactly(first.eventId(), other.eventId(), first.eventId(), second.eventId());
    }

    @Test
    void aDeadEventReleasesItsKey() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setOrdering(Ordering.KEY).setRetryMaxAttempts(1))
                .listener(new RecordingListener().failingWith(new Exception("broken")))
                .build();
        EventEnvelope first = World.ofKey("k");
        EventEnvelope second = World.ofKey("k");
        world.store(first, second);
        instance.poll();
        instance.work();
        instance.poll();
        instance.work();

        assertThat(world.status(first)).isEqualTo(EventStatus.DEAD);
        assertThat(world.status(second)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void aQueuedEventHoldsItsKeyAgainstOtherInstances() {
        Instance first = ordered();
        Instance second = ordered();
        world.store(World.ofKey("k"), World.ofKey("k"));
        first.poll();

        for (int n = 0; n < 5; n++) {
            world.time.advance(Duration.ofSeconds(11));
            first.renew();
            second.poll();
        }

        assertThat(second.deliverOne()).isFalse();
    }

    private Instance ordered() {
        return Instance.builder(world).with(c -> c.setOrdering(Ordering.KEY)).build();
    }
}
