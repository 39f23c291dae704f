package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.DispatcherClosedException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxConfig;
import outbox.OutboxException;
import outbox.dispatch.Instance;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimRequest;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.TimeSource;
import outbox.testkit.ForwardingStore;
import outbox.testkit.RecordingListener;
import outbox.testkit.RecordingMetrics;
import outbox.testkit.World;

@Timeout(60)
class OutboxPollerTest {

    private final World world = new World();

    @Test
    void findsWhatNoHotPathHas() {
        Instance instance = Instance.in(world);
        EventEnvelope event = World.event();
        world.store(event);

        instance.poll();
        assertThat(world.isFree(event)).isFalse();
        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void looksAgainWhileThereIsMore() {
        Instance instance =
                Instance.builder(world).with(c -> c.setPollerBatchSize(2)).build();
        world.store(World.event(), World.event(), World.event(), World.event(), World.event());

        instance.poll();
        instance.work();

        assertThat(instance.listener().events()).hasSize(5);
    }

    @Test
    void claimsNoMoreThanTheColdQueueCanTake() {
        Instance instance =
                Instance.builder(world).with(c -> c.setColdQueueCapacity(2)).build();
        EventEnvelope third = World.event();
        world.store(World.event(), World.event(), third);

        instance.poll();
        instance.poll();

        assertThat(world.isFree(third)).isTrue();
        instance.work();
        instance.poll();
        instance.work();
        assertThat(world.status(third)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void isWokenWhenTheColdQueueIsHalfEmptyAgain() {
        Instance instance =
                Instance.builder(world).with(c -> c.setColdQueueCapacity(4)).build();
        world.store(World.event(), World.event(), World.event(), World.event(), World.event());
        instance.poll();
        instance.deliverOne();
        assertThat(instance.wakeUps()).isEmpty();

        instance.deliverOne();

        assertThat(instance.wakeUps()).containsExactly(Duration.ZERO);
    }

    @Test
    void isWokenWhenHalfOfThePayloadBytesAreFreeAgain() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setQueueBytesMax(100).setPollerBatchSize(3))
                .build();
        world.store(World.ofBytes(30), World.ofBytes(30), World.ofBytes(40), World.ofBytes(50));
        instance.poll();
        instance.deliverOne();
        assertThat(instance.wakeUps()).isEmpty();

        instance.deliverOne();

        assertThat(instance.wakeUps()).containsExactly(Duration.ZERO);
    }

    @Test
    void claimsNothingWhileThePayloadsInMemoryAreAtTheirLimit() {
        Instance instance =
                Instance.builder(world).with(c -> c.setQueueBytesMax(100)).build();
        instance.publish(World.ofBytes(100));
        EventEnvelope waiting = World.ofBytes(1);
        world.store(waiting);

        instance.poll();

        assertThat(instance.dispatcher().hasColdQueueCapacity()).isFalse();
        assertThat(world.isFree(waiting)).isTrue();
    }

    @Test
    void asksForAsMuchAsThereIsRoomFor() {
        List<ClaimRequest> requests = new ArrayList<>();
        Instance instance = Instance.builder(world)
                .store(recording(requests))
                .with(c -> c.setPollerBatchSize(10)
                        .setColdQueueCapacity(7)
                        .setQueueBytesMax(1_000)
                        .setPollerSkipRecentMs(250))
                .build();
        instance.publish(World.ofBytes(400));

        instance.poll();

        assertThat(requests)
                .filteredOn(request -> !request.suspects())
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.eventsMax()).isEqualTo(7);
                    assertThat(request.bytesMax()).isEqualTo(600);
                    assertThat(request.skipRecent())
                            .as("nothing here is on a hot path unclaimed")
                            .isZero();
                    assertThat(request.terms().lease()).isEqualTo(Instance.LEASE);
                });
    }

    @Test
    void claimsWithANewTokenAtEachLook() {
        List<ClaimRequest> requests = new ArrayList<>();
        Instance instance = Instance.builder(world).store(recording(requests)).build();
        instance.poll();
        instance.poll();

        assertThat(requests).extracting(request -> request.terms().token()).doesNotHaveDuplicates();
    }

    private ForwardingStore recording(List<ClaimRequest> requests) {
        return new ForwardingStore(world.store) {
            @Override
            public List<OutboxEvent> claim(ClaimRequest request) {
                requests.add(request);
                return super.claim(request);
            }
        };
    }

    @Test
    void findsAnEventThatIsOnNoHotPathHoweverRecentItIs() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setPollerSkipRecentMs(1_000))
                .build();
        world.store(World.event());

        instance.poll();

        assertThat(instance.deliverOne()).isTrue();
    }

    @Test
    void tellsTheDispatcherHowOftenAnEventHasFailed() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setRetryMaxAttempts(2))
                .listener(new RecordingListener().failingWith(new Exception("1"), new Exception("2")))
                .build();
        EventEnvelope event = instance.publish(World.event());
        instance.work();
        world.time.advance(Duration.ofSeconds(1));

        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
    }

    @Test
    void aRowThatCannotBeDecodedIsDeadAndStopsNothing() {
        Instance instance = Instance.in(world);
        EventEnvelope broken = World.event();
        EventEnvelope sound = World.event();
        world.store(broken, sound);
        world.store.corruptHeaders(broken.eventId(), "{\"half\":");

        instance.poll();
        instance.work();

        assertThat(world.status(broken)).isEqualTo(EventStatus.DEAD);
        assertThat(world.state(broken).lastError()).contains("cannot be decoded");
        assertThat(instance.listener().ids()).containsExactly(sound.eventId());
    }

    @Test
    void aStartedPollerFindsEventsAndSurvivesAStoreThatFails() {
        AtomicInteger failures = new AtomicInteger(3);
        ForwardingStore store = new ForwardingStore(world.store) {
            @Override
            public List<OutboxEvent> claim(ClaimRequest request) {
                if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    throw new OutboxException("the database is away");
                }
                return super.claim(request);
            }
        };
        OutboxConfig config = new OutboxConfig().setPollerIntervalMs(1).setPollerSkipRecentMs(0);
        EventEnvelope event = World.event();
        world.store(event);
        try (OutboxDispatcher dispatcher = OutboxDispatcher.builder(store, store)
                        .config(config)
                        .listeners(type -> List.of(e -> {}))
                        .build();
                OutboxPoller poller =
                        new OutboxPoller(store, dispatcher, config, new RecordingMetrics(), TimeSource.SYSTEM)) {
            poller.start();
            World.await("the event is done", () -> world.status(event) == EventStatus.DONE);
        }

        assertThat(failures).hasValue(0);
    }

    @Test
    void aStartedPollerLooksAtOnceWhenTheDispatcherWakesIt() {
        OutboxConfig config = new OutboxConfig()
                .setPollerIntervalMs(86_400_000)
                .setPollerSkipRecentMs(0)
                .setRetryBaseDelayMs(1);
        ForwardingStore store = new ForwardingStore(world.store) {
            @Override
            public SettleResult settle(SettleRequest request) {
                SettleResult result = super.settle(request);
                world.time.advance(Duration.ofSeconds(1)); // By the store's clock, the retry is due at once.
                return result;
            }
        };
        Set<String> failed = ConcurrentHashMap.newKeySet();
        EventListener failingOnce = event -> {
            if (failed.add(event.eventId())) {
                throw new IllegalStateException("fails once");
            }
        };
        try (OutboxDispatcher dispatcher = OutboxDispatcher.builder(store, store)
                        .config(config)
                        .listeners(type -> List.of(failingOnce))
                        .build();
                OutboxPoller poller =
                        new OutboxPoller(store, dispatcher, config, new RecordingMetrics(), TimeSource.SYSTEM)) {
            poller.start();
            for (int n = 0; n < 3; n++) {
                EventEnvelope event = world.publish(dispatcher, World.ofKey("k"));
                World.await("the event is done", () -> world.status(event) == EventStatus.DONE);
            }
        }
    }

    @Test
    void startsOnce() {
        Instance instance = Instance.in(world);
        try (OutboxPoller poller = instance.poller()) {
            poller.start();
            assertThatThrownBy(poller::start).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void closesThoughItWasNeverStarted() {
        Instance instance = Instance.in(world);
        instance.poller().close();
        world.store(World.event());

        instance.poll();

        assertThat(instance.deliverOne()).isTrue();
    }

    @Test
    void looksAgainWhenALookWasCutShortByItsBytes() {
        Instance instance =
                Instance.builder(world).with(c -> c.setQueueBytesMax(100)).build();
        for (int n = 0; n < 4; n++) {
            world.store(World.ofBytes(60));
        }
        int polls = 0;
        do {
            instance.poll();
            instance.work();
            polls++;
        } while (instance.wakeUps().size() >= polls);

        assertThat(instance.listener().events()).hasSize(4);
    }

    @Test
    void claimsNothingForADispatcherThatIsClosed() {
        List<ClaimRequest> requests = new ArrayList<>();
        Instance instance = Instance.builder(world).store(recording(requests)).build();
        instance.dispatcher().close();

        assertThatThrownBy(instance::poll).isInstanceOf(DispatcherClosedException.class);

        assertThat(requests).isEmpty();
    }

    @Test
    void givesBackWhatItClaimedForADispatcherThatClosedMeanwhile() {
        List<OutboxDispatcher> closing = new ArrayList<>();
        Instance instance = Instance.builder(world)
                .store(new ForwardingStore(world.store) {
                    @Override
                    public List<OutboxEvent> claim(ClaimRequest request) {
                        List<OutboxEvent> rows = super.claim(request);
                        closing.forEach(OutboxDispatcher::close);
                        return rows;
                    }
                })
                .build();
        closing.add(instance.dispatcher());
        EventEnvelope event = World.event();
        world.store(event);

        assertThatThrownBy(instance::poll).isInstanceOf(DispatcherClosedException.class);

        assertThat(world.isFree(event)).isTrue();
    }

    @Test
    void findsADelayedEventWhenItIsDueThoughItIsRecent() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setPollerSkipRecentMs(1_000))
                .build();
        EventEnvelope event = instance.publish(
                World.sample().availableAt(world.time.instant().plusMillis(200)).build());
        assertThat(instance.wakeUps()).containsExactly(Duration.ofMillis(200));

        world.time.advance(Duration.ofMillis(200));
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }
}
