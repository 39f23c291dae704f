package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.DispatcherClosedException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxConfig;
import outbox.model.EventStatus;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

@Timeout(60)
class DispatcherCloseTest {

    private final World world = new World();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final RecordingListener delivered = new RecordingListener();

    @Test
    void takesNothingOnceItIsClosed() {
        Instance instance = Instance.in(world);
        instance.dispatcher().close();
        QueuedEvent hot = new QueuedEvent(World.event(), QueuedEvent.Source.HOT, 0);
        QueuedEvent cold = new QueuedEvent(World.event(), QueuedEvent.Source.COLD, 0);

        assertThat(instance.dispatcher().isClosed()).isTrue();
        assertThatThrownBy(() -> instance.dispatcher().enqueueHot(hot)).isInstanceOf(DispatcherClosedException.class);
        assertThatThrownBy(() -> instance.dispatcher().enqueueCold(cold)).isInstanceOf(DispatcherClosedException.class);
    }

    @Test
    void startsNoPollerOnceItIsClosed() {
        Instance instance = Instance.in(world);
        instance.dispatcher().close();

        assertThatThrownBy(() -> instance.poller().start()).isInstanceOf(DispatcherClosedException.class);
    }

    @Test
    void whatIsPublishedLaterIsStoredAndFree() {
        Instance instance = Instance.in(world);
        instance.dispatcher().close();

        EventEnvelope event = instance.publish(World.event());

        assertThat(world.status(event)).isEqualTo(EventStatus.NEW);
        assertThat(world.isFree(event)).isTrue();
    }

    @Test
    void closesOnce() {
        Instance instance = Instance.in(world);
        instance.dispatcher().close();
        instance.dispatcher().close();

        assertThat(instance.dispatcher().isClosed()).isTrue();
    }

    @Test
    void givesBackWhatIsQueued() {
        Instance instance = Instance.in(world);
        EventEnvelope hot = instance.publish(World.event());
        EventEnvelope cold = World.event();
        world.store(cold);
        instance.poll();

        instance.dispatcher().close();
        instance.settle();

        assertThat(world.isFree(hot)).isTrue();
        assertThat(world.isFree(cold)).isTrue();
        assertThat(instance.listener().events()).isEmpty();
    }

    @Test
    void deliversWhatIsQueuedBeforeTheDeadline() throws Exception {
        OutboxDispatcher dispatcher = running(this::waitForTheTest, 30_000);
        List<EventEnvelope> events = publishThree(dispatcher);
        begun.await();
        Thread closing = new Thread(dispatcher::close);
        closing.start();
        World.await("the close has begun", dispatcher::isClosed);
        mayEnd.countDown();
        closing.join();

        assertThat(events).extracting(world::status).containsOnly(EventStatus.DONE);
        assertThat(delivered.events()).hasSize(3);
    }

    @Test
    void interruptsWhatRunsPastTheDeadlineAndGivesEverythingBack() throws Exception {
        OutboxDispatcher dispatcher = running(this::waitForTheTest, 0);
        List<EventEnvelope> events = publishThree(dispatcher);
        begun.await();

        dispatcher.close();

        assertThat(events).allSatisfy(event -> {
            assertThat(world.isFree(event)).isTrue();
            assertThat(world.status(event)).isEqualTo(EventStatus.NEW);
            assertThat(world.state(event).attempts()).isZero();
        });
        assertThat(delivered.events()).isEmpty();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void countsNoAttemptForAFailureThatItsOwnInterruptCaused() throws Exception {
        OutboxDispatcher dispatcher = running(
                event -> {
                    begun.countDown();
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("as a driver that wraps what it catches", e);
                    }
                },
                0);
        EventEnvelope event = world.publish(dispatcher, World.event());
        begun.await();

        dispatcher.close();

        assertThat(world.status(event)).isEqualTo(EventStatus.NEW);
        assertThat(world.isFree(event)).isTrue();
    }

    @Test
    void settlesWhatWasDeliveredPastTheDeadline() throws Exception {
        OutboxDispatcher dispatcher = running(
                event -> {
                    begun.countDown();
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        // The event has arrived all the same, so this is no failure.
                    }
                },
                0);
        EventEnvelope event = world.publish(dispatcher, World.event());
        begun.await();

        dispatcher.close();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void returnsThoughAListenerDoesNotEnd() throws Exception {
        OutboxDispatcher dispatcher = running(this::ignoreInterrupts, 0);
        List<EventEnvelope> events = publishThree(dispatcher);
        begun.await();

        dispatcher.close();
        Thread.interrupted();

        // The one that runs keeps its claim until that expires; the others are free for another instance.
        assertThat(world.isFree(events.get(0))).isFalse();
        assertThat(world.isFree(events.get(1))).isTrue();
        assertThat(world.isFree(events.get(2))).isTrue();
        mayEnd.countDown();
    }

    private OutboxDispatcher running(EventListener listener, long drainMs) {
        return OutboxDispatcher.builder(world.store.claimStore(), world.store.settleStore())
                .config(new OutboxConfig().setDispatcherWorkers(1).setDrainTimeoutMs(drainMs))
                .listeners(type -> List.of(listener))
                .build();
    }

    private List<EventEnvelope> publishThree(OutboxDispatcher dispatcher) {
        return List.of(
                world.publish(dispatcher, World.event()),
                world.publish(dispatcher, World.event()),
                world.publish(dispatcher, World.event()));
    }

    private void waitForTheTest(EventEnvelope event) throws Exception {
        begun.countDown();
        mayEnd.await();
        delivered.onEvent(event);
    }

    private void ignoreInterrupts(EventEnvelope event) {
        begun.countDown();
        boolean ended = false;
        while (!ended) {
            try {
                ended = mayEnd.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                ended = false;
            }
        }
    }

    @Test
    void doesNotInterruptItsCallerWhenAListenerDoesNotEnd() throws Exception {
        OutboxDispatcher dispatcher = running(this::ignoreInterrupts, 0);
        world.publish(dispatcher, World.event());
        begun.await();

        dispatcher.close();
        mayEnd.countDown();

        assertThat(Thread.interrupted()).isFalse();
    }
}
