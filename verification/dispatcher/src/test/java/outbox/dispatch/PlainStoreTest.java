package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.PlainClaimStore;
import outbox.testkit.FakeConnections;
import outbox.testkit.PlainStore;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

/** One instance on a plain EventStore, which knows no claims. */
class PlainStoreTest {

    private final World world = new World();
    private final PlainStore plain = new PlainStore(world.time);
    private final FakeConnections connections = new FakeConnections(true, Connection.TRANSACTION_READ_COMMITTED);
    private final PlainClaimStore store = new PlainClaimStore(connections, plain, world.time);

    @Test
    void deliversAndMarksDone() {
        Instance instance = Instance.builder(world).store(store).build();
        EventEnvelope event = stored();

        instance.poll();
        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
        assertThat(plain.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void leavesRecentEventsToTheHotPath() {
        Instance instance = Instance.builder(world)
                .store(store)
                .with(c -> c.setPollerSkipRecentMs(1_000))
                .build();
        stored();
        world.time.advance(Duration.ofMillis(999));
        instance.poll();
        assertThat(instance.deliverOne()).isFalse();

        world.time.advance(Duration.ofMillis(1));
        instance.poll();

        assertThat(instance.deliverOne()).isTrue();
    }

    @Test
    void triesAgainAndThenGivesUp() {
        Instance instance = Instance.builder(world)
                .store(store)
                .with(c -> c.setRetryMaxAttempts(2))
                .listener(new RecordingListener().failingWith(new Exception("1"), new Exception("2")))
                .build();
        EventEnvelope event = stored();
        instance.poll();
        instance.work();
        assertThat(plain.status(event)).isEqualTo(EventStatus.RETRY);
        world.time.advance(Duration.ofSeconds(1));
        instance.poll();
        instance.work();

        assertThat(plain.status(event)).isEqualTo(EventStatus.DEAD);
    }

    @Test
    void deliversEachEventOnceThoughALookFindsItAgain() {
        Instance instance = Instance.builder(world)
                .store(store)
                .with(c -> c.setPollerBatchSize(2))
                .build();
        EventEnvelope first = stored();
        EventEnvelope second = stored();

        instance.poll();
        for (int n = 0; n < 5; n++) {
            instance.deliverOne();
            instance.settle();
        }

        assertThat(instance.listener().ids()).containsExactly(first.eventId(), second.eventId());
    }

    @Test
    void deliversEachEventOnceThoughALaterLookFindsItStillQueued() {
        Instance instance = Instance.builder(world).store(store).build();
        EventEnvelope event = stored();

        instance.poll();
        instance.poll();
        instance.deliverOne();
        instance.settle();
        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
    }

    @Test
    void deliversAnEventOnceThoughItIsSettledWhileAPollFindsIt() {
        List<Runnable> whilePolling = new ArrayList<>();
        PlainClaimStore settledMeanwhile = new PlainClaimStore(
                connections,
                new PlainStore(world.time) {
                    @Override
                    public synchronized List<OutboxEvent> pollPending(
                            Connection conn, Instant now, Duration skipRecent, int limit) {
                        List<OutboxEvent> rows = plain.pollPending(conn, now, skipRecent, limit);
                        whilePolling.forEach(Runnable::run);
                        return rows;
                    }

                    @Override
                    public synchronized int markDone(Connection conn, String eventId) {
                        return plain.markDone(conn, eventId);
                    }
                },
                world.time);
        Instance instance = Instance.builder(world).store(settledMeanwhile).build();
        EventEnvelope event = stored();
        instance.enqueueCold(event, 0);
        whilePolling.add(instance::work);

        instance.poll();
        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
    }

    @Test
    void usesTheClockOfItsDispatcher() throws InterruptedException {
        OutboxDispatcher dispatcher = OutboxDispatcher.builder(connections, plain)
                .time(world.time)
                .listeners(type -> List.of(event -> {
                    throw new IllegalStateException("not yet");
                }))
                .retryPolicy(attempts -> 1_000)
                .buildWithoutThreads();
        EventEnvelope event = stored();
        dispatcher.enqueueCold(new QueuedEvent(event, QueuedEvent.Source.COLD, 0));
        dispatcher.runOnce();
        dispatcher.settleOnce();

        assertThat(plain.status(event)).isEqualTo(EventStatus.RETRY);
        assertThat(plain.availableAt(event)).isEqualTo(world.time.instant().plusSeconds(1));
    }

    private EventEnvelope stored() {
        EventEnvelope event = World.event();
        plain.insertNew(connections.getConnection(), event);
        return event;
    }
}
