package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.testkit.World;

/** An event that ends every process which delivers it, and processes that are killed for other reasons. */
class PoisonTest {

    private static final Duration PAST_LEASE = Instance.LEASE.plusSeconds(1);

    private final World world = new World();
    private final EventEnvelope poison = World.ofKey("key-3");
    private int killed;

    @Test
    void isDeadAtTheLimitAndNoOtherIs() {
        List<EventEnvelope> others = new ArrayList<>(storeKeys(10));
        world.store(poison);
        others.addAll(storeKeys(10));

        Instance last = startUntilOneLives();

        assertThat(killed).isEqualTo(5);
        assertThat(world.status(poison)).isEqualTo(EventStatus.DEAD);
        assertThat(world.state(poison).lastError()).contains("the process ended 5 times", "deaths-max is 5");
        assertThat(last.listener().ids()).doesNotContain(poison.eventId());
        assertThat(others).allMatch(event -> world.status(event) == EventStatus.DONE);
        assertThat(others).allMatch(event -> world.state(event).attempts() == 0);
    }

    @Test
    void suspectsAreTriedOneAtATime() {
        List<EventEnvelope> events = storeKeys(5);
        for (int n = 0; n < 2; n++) {
            instance().poll();
            world.time.advance(PAST_LEASE);
        }
        Instance instance = instance();
        EventEnvelope innocent = World.event();
        world.store(innocent);

        for (int tried = 1; tried <= 5; tried++) {
            instance.poll();
            instance.poll();
            instance.work();
            assertThat(events).filteredOn(event -> !isPending(event)).hasSize(tried);
            assertThat(instance.wakeUps()).hasSize(tried);
        }
        assertThat(world.status(innocent)).isEqualTo(EventStatus.DONE);
    }

    private boolean isPending(EventEnvelope event) {
        return world.status(event) == EventStatus.NEW;
    }

    @Test
    void processesThatAreKilledWhileTheyDeliverAnythingKillNoEvent() {
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            events.addAll(storeKeys(3));
            Instance mortal = instance();
            mortal.poll();
            mortal.deliverOne();
            mortal.settle();
            mortal.poll();
            mortal.poll();
            mortal.deliverOne();
            world.time.advance(PAST_LEASE);
        }
        startUntilOneLives();

        assertThat(events).allMatch(event -> world.status(event) == EventStatus.DONE);
    }

    // ---- leaves ----------------------------------------------------------------------------------------------------

    private List<EventEnvelope> storeKeys(int count) {
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            events.add(World.ofKey("key-" + n));
        }
        world.store(events.toArray(EventEnvelope[]::new));
        return events;
    }

    private Instance instance() {
        return Instance.in(world);
    }

    private Instance startUntilOneLives() {
        Instance instance = instance();
        while (diesWorkingWith(instance)) {
            assertThat(++killed).as("processes that were killed").isLessThan(20);
            world.time.advance(PAST_LEASE);
            instance = instance();
        }
        return instance;
    }

    /** Works until nothing is left to do, or the poisonous event comes: then nothing more is written. */
    private boolean diesWorkingWith(Instance instance) {
        for (int rounds = 0; rounds < 100; rounds++) {
            instance.poll();
            while (instance.deliverOne()) {
                if (instance.listener().ids().contains(poison.eventId())) {
                    return true;
                }
            }
            instance.settle();
            world.time.advance(Duration.ofSeconds(1));
        }
        return false;
    }
}
