package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxConfig;
import outbox.model.EventStatus;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

/** A worker's thread survives whatever a listener does. */
@Timeout(60)
class WorkerTest {

    private final World world = new World();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final CountDownLatch second = new CountDownLatch(1);

    @Test
    void goesOnAfterAnError() throws Exception {
        assertGoesOnAfter(event -> {
            throw new StackOverflowError("a listener's own");
        });
    }

    @Test
    void goesOnAfterAListenerThrewAnInterruptThatNobodySent() throws Exception {
        assertGoesOnAfter(event -> {
            throw new InterruptedException("from a future that another thread gave up");
        });
    }

    @Test
    void goesOnAfterAListenerLeftTheThreadInterrupted() throws Exception {
        assertGoesOnAfter(event -> Thread.currentThread().interrupt());
    }

    @Test
    void countsAnAttemptForAnInterruptThatNobodySent() {
        Instance instance = Instance.builder(world)
                .listener(new RecordingListener().failingWith(new InterruptedException("stray")))
                .build();
        EventEnvelope event = instance.publish(World.event());

        instance.work();

        assertThat(world.state(event).attempts()).isEqualTo(1);
        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
    }

    @Test
    void settlesWhatWasDeliveredByAListenerThatLeftTheThreadInterrupted() {
        Instance instance = Instance.in(world);
        instance.listeners().registerAll(event -> Thread.currentThread().interrupt());
        EventEnvelope event = instance.publish(World.event());

        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @AfterEach
    void clearTheInterrupt() {
        Thread.interrupted();
    }

    private void assertGoesOnAfter(EventListener first) throws Exception {
        try (OutboxDispatcher dispatcher = OutboxDispatcher.builder(world.store.claimStore(), world.store.settleStore())
                .config(new OutboxConfig().setDispatcherWorkers(1).setDrainTimeoutMs(0))
                .listeners(type -> List.of(event -> {
                    if (failed.compareAndSet(false, true)) {
                        first.onEvent(event);
                    } else {
                        second.countDown();
                    }
                }))
                .build()) {
            world.publish(dispatcher, World.event());
            world.publish(dispatcher, World.event());

            assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
