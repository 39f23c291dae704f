package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.LayoutMismatchException;
import outbox.PoolTooSmallException;
import outbox.internal.SupervisedLoop;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayMetrics.Counter;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.retention.RetentionConfig;
import outbox.spi.Checkable;
import outbox.spi.ClaimStore;
import outbox.spi.DestinationWrapper;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;
import outbox.testkit.EndedLoop;
import outbox.testkit.ForwardingStore;
import outbox.testkit.InMemoryStore;
import outbox.testkit.RecordingDestination;
import outbox.testkit.StoreFixture.Session;
import outbox.testkit.World;

/** The relay with its threads. */
class RelayTest {

    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
    private final RecordingDestination destination = new RecordingDestination();
    private final List<RelayEvent> events = new CopyOnWriteArrayList<>();

    @Test
    void deliversWhatWasStoredBeforeItStartedAndAfter() {
        EventEnvelope before = publish(World.ofKey("k"));
        try (Relay relay = builder().build().start()) {
            awaitDone(before);
            EventEnvelope after = publish(World.ofKey("k"));
            awaitDone(after);

            World.await("it counts", () -> relay.metrics().count(Counter.SETTLED_DONE) == 2);
            assertThat(relay.metrics().members()).isEqualTo(1);
            assertThat(destination.eventIds()).containsExactly(before.eventId(), after.eventId());
        }
    }

    @Test
    void deliversAtOnceWhatThisProcessPublishes() {
        try (Relay relay = builder().build().start()) {
            awaitDone(publish(World.ofKey("warm")));
            EventEnvelope event = World.ofKey("k");
            try (Session session = store.newSession()) {
                session.begin();
                new outbox.OutboxClient(session.store(), relay.hotPath()).publish(event);
                session.commit();
            }
            awaitDone(event);
            assertThat(relay.hotPath().prepare().claim()).isNull();
        }
    }

    @Test
    void takesNoPartitionBeforeItsDestinationsHaveBeenConnectedTo() throws InterruptedException {
        Connecting slow = new Connecting(destination, new CountDownLatch(1), new CountDownLatch(1));
        try (Relay relay = Relay.on(stores(store.claimStore()), config("first"))
                .destination("there", slow)
                .listener(events::add)
                .build()
                .start()) {
            assertThat(slow.asked().await(10, TimeUnit.SECONDS)).isTrue();
            long before = events(RelayEvent.HeartbeatSent.class);
            World.await("it sends more heartbeats", () -> events(RelayEvent.HeartbeatSent.class) > before + 10);
            assertThat(events(RelayEvent.PartitionAcquired.class)).isZero();
            assertThat(events(RelayEvent.Prepared.class)).isZero();

            slow.connected().countDown();

            World.await("it has all partitions", () -> relay.node().partitions().size() == 6);
        }
    }

    private long events(Class<? extends RelayEvent> kind) {
        return events.stream().filter(kind::isInstance).count();
    }

    /** A destination whose connection takes until the test lets it succeed. */
    private record Connecting(RecordingDestination wrapped, CountDownLatch asked, CountDownLatch connected)
            implements DestinationWrapper, Checkable {

        @Override
        public void check(Duration timeout) {
            asked.countDown();
            try {
                assertThat(connected.await(timeout.toMillis(), TimeUnit.MILLISECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void keepsEveryLoopWhenListenersRouterAndLogFail() {
        AtomicInteger heartbeats = new AtomicInteger();
        AtomicBoolean routed = new AtomicBoolean();
        Router sound = Router.everythingTo("there");
        Router failing = new Router() {
            @Override
            public List<Route> route(OutboxEvent event) {
                routed.set(true);
                throw new NoClassDefFoundError("of the router");
            }

            @Override
            public List<Route> routes() {
                return sound.routes();
            }

            @Override
            public List<Rule> rules() {
                return List.of();
            }

            @Override
            public boolean fansOut() {
                return false;
            }
        };
        try (BrokenLog broken = new BrokenLog("outbox.relay", SupervisedLoop.class.getName());
                Relay relay = builder()
                        .router(failing)
                        .listener(event -> {
                            if (event instanceof RelayEvent.HeartbeatSent && heartbeats.incrementAndGet() <= 3) {
                                throw new NoClassDefFoundError("of the listener");
                            }
                        })
                        .build()
                        .start()) {
            EventEnvelope event = publish(World.ofKey("k"));
            World.await("the router has failed", routed::get);
            World.await("it sends heartbeats after the errors", () -> heartbeats.get() > 4);
            relay.reroute(sound);
            awaitDone(event);

            assertThat(broken.calls).hasPositiveValue();
            assertThat(relay.endedLoops()).isEmpty();
        }
    }

    /** A log that fails at every call. */
    private static final class BrokenLog extends Handler implements AutoCloseable {

        final AtomicInteger calls = new AtomicInteger();
        private final List<Logger> loggers;

        BrokenLog(String... names) {
            this.loggers = Arrays.stream(names).map(Logger::getLogger).toList();
            loggers.forEach(logger -> logger.addHandler(this));
        }

        @Override
        public void publish(LogRecord entry) {
            calls.incrementAndGet();
            throw new NoClassDefFoundError("of the log");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            loggers.forEach(logger -> logger.removeHandler(this));
        }
    }

    @Test
    void namesTheLoopsThatHaveEndedWhileItIsOpen() {
        try (Relay relay = builder().build().start()) {
            awaitDone(publish(World.ofKey("k")));
            assertThat(relay.endedLoops()).isEmpty();

            end(relay, "outbox-relay-heartbeat");
            end(relay, "outbox-relay-2");
            World.await("they have ended", () -> relay.endedLoops().size() == 2);
            assertThat(relay.endedLoops()).containsExactlyInAnyOrder("outbox-relay-heartbeat", "outbox-relay-2");
        }
    }

    @Test
    void namesTheThreadsThatSendWakeUpsAndPurgeWhenTheyHaveEnded() {
        try (Relay relay = builder()
                .channel(new Channel())
                .retention(store.retentionStore(), RetentionConfig.defaults())
                .build()
                .start()) {
            awaitDone(publish(World.ofKey("k")));
            assertThat(relay.endedLoops()).isEmpty();

            EndedLoop.in(relay, "sender", "loop");
            EndedLoop.in(relay, "purger", "loop");
            World.await("they have ended", () -> relay.endedLoops().size() == 2);
            assertThat(relay.endedLoops()).containsExactlyInAnyOrder("outbox-wake-up-sender", "outbox-retention");
        }
    }

    private void end(Relay relay, String name) {
        EndedLoop.end(relay.loops()
                .filter(loop -> loop.name().equals(name))
                .findFirst()
                .orElseThrow());
        publish(World.ofKey("k")); // So that the current iteration ends.
    }

    @Test
    void finishesWhatIsInFlightBeforeItCloses() {
        destination.delayAnswers();
        Relay relay = builder().build().start();
        EventEnvelope event = publish(World.ofKey("k"));
        World.await("it is in flight", () -> !destination.delayed().isEmpty());
        Thread closing = new Thread(relay::close);
        closing.start();
        World.await(
                "it releases its partitions",
                () -> events.stream().anyMatch(RelayEvent.PartitionReleased.class::isInstance));
        assertThat(closing.isAlive()).isTrue();

        destination.releaseAll();
        World.await("it is closed", () -> !closing.isAlive());

        assertThat(status(event)).isEqualTo(EventStatus.DONE);
        assertThat(destination.isClosed()).isTrue();
        assertThat(events).anyMatch(RelayEvent.Left.class::isInstance);
        assertThat(events)
                .filteredOn(RelayEvent.PartitionReleased.class::isInstance)
                .hasSize(6);
    }

    @Test
    void leavesItsPartitionsFreeForAnotherWhenItCloses() {
        Relay first = builder().build().start();
        awaitDone(publish(World.ofKey("k")));
        first.close();

        RecordingDestination other = new RecordingDestination();
        try (Relay second = Relay.on(stores(store.claimStore()), config("second"))
                .destination("there", other)
                .build()
                .start()) {
            assertThat(second).isNotNull();
            EventEnvelope event = publish(World.ofKey("k"));
            awaitDone(event);
            assertThat(other.eventIds()).containsExactly(event.eventId());
        }
    }

    @Test
    void sharesTheWorkWithAnother() {
        RecordingDestination other = new RecordingDestination();
        try (Relay first = builder().build().start();
                Relay second = Relay.on(stores(store.claimStore()), config("second"))
                        .destination("there", other)
                        .build()
                        .start()) {
            World.await(
                    "both have partitions",
                    () -> first.node().partitions().size() == 3
                            && second.node().partitions().size() == 3);
            List<EventEnvelope> events = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
                events.add(publish(World.ofKey("k" + n)));
            }
            events.forEach(this::awaitDone);

            List<String> all = new ArrayList<>(destination.eventIds());
            all.addAll(other.eventIds());
            assertThat(all).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
            assertThat(destination.eventIds()).isNotEmpty();
            assertThat(other.eventIds()).isNotEmpty();
        }
    }

    @Test
    void hearsOfCommitsElsewhereByItsChannel() {
        Channel channel = new Channel();
        try (Relay relay = builder().channel(channel).build().start()) {
            awaitDone(publish(World.ofKey("warm")));
            EventEnvelope event = publish(World.ofKey("k"));
            channel.waiting.add(WakeUp.ANY);
            awaitDone(event);
            assertThat(relay.hotPath().prepare().claim()).isNull();
        }
        assertThat(channel.closed).isTrue();
    }

    @Test
    void closesWithoutHavingBeenStarted() {
        Relay relay = builder().build();

        relay.close();

        assertThat(destination.isClosed()).isTrue();
    }

    @Test
    void closesTwice() {
        Relay relay = builder().build().start();

        relay.close();
        relay.close();

        assertThat(events).filteredOn(RelayEvent.Left.class::isInstance).hasSize(1);
    }

    @Test
    void refusesToStartOnOtherTerms() {
        try (Relay relay = builder().build().start()) {
            assertThat(relay).isNotNull();
            Relay other = Relay.on(stores(store.claimStore()), config("second").withPartitions(12))
                    .destination("there", new RecordingDestination())
                    .build();

            assertThatThrownBy(other::start).isInstanceOf(LayoutMismatchException.class);
        }
    }

    @Test
    void refusesADestinationThatNoRouteNames() {
        assertThatThrownBy(
                        () -> builder().router(Router.everythingTo("nowhere")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("nowhere", "there");
    }

    @Test
    void wantsARouterToChooseBetweenDestinations() {
        assertThatThrownBy(() -> builder()
                        .destination("elsewhere", new RecordingDestination())
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("2 destinations", "router");
        assertThatThrownBy(() ->
                        Relay.on(stores(store.claimStore()), config("none")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 destinations");
    }

    @Test
    void wantsEachDestinationToHaveANameOfItsOwn() {
        assertThatThrownBy(() -> builder().destination("there", new RecordingDestination()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there");
    }

    @Test
    void wantsAReasonableNumberOfWorkers() {
        assertThatThrownBy(() -> builder().workers(0)).hasMessageContainingAll("workers", "1 to 256", "0");
        assertThatThrownBy(() -> builder().workers(257)).hasMessageContainingAll("workers", "1 to 256", "257");
    }

    @Test
    void wantsAPoolThatIsLargeEnough() {
        assertThatThrownBy(() -> withPool(7).build()).isInstanceOf(PoolTooSmallException.class);
        withPool(8).build().close();
        withPool(6).workers(2).build().close();
        RelayBuilder listening = withPool(8).channel(new Channel());
        assertThatThrownBy(listening::build).isInstanceOf(PoolTooSmallException.class);
    }

    @Test
    void survivesAListenerThatFails() {
        try (Relay relay = builder()
                .listener(event -> {
                    throw new IllegalStateException("a listener that fails");
                })
                .build()
                .start()) {
            assertThat(relay).isNotNull();
            awaitDone(publish(World.ofKey("k")));
        }
    }

    private RelayBuilder withPool(int connections) {
        ClaimStore pooled = new ForwardingStore(store) {
            @Override
            public OptionalInt connectionsMax() {
                return OptionalInt.of(connections);
            }
        };
        return Relay.on(stores(pooled), config("pooled")).destination("there", destination);
    }

    private RelayBuilder builder() {
        return Relay.on(stores(store.claimStore()), config("first"))
                .destination("there", destination)
                .listener(events::add);
    }

    private RelayStores stores(ClaimStore dispatch) {
        return new RelayStores(store.relayStore(), store.clusterStore(), dispatch);
    }

    private static RelayConfig config(String nodeId) {
        return RelayConfig.of(nodeId)
                .withCluster(ClusterConfig.of(nodeId).withHeartbeat(Duration.ofMillis(50), Duration.ofSeconds(10)));
    }

    private EventEnvelope publish(EventEnvelope event) {
        try (Session session = store.newSession()) {
            session.begin();
            outbox.OutboxClient.storeOnly(session.store()).publish(event);
            session.commit();
        }
        return event;
    }

    private void awaitDone(EventEnvelope event) {
        World.await("it is done", () -> status(event) == EventStatus.DONE);
    }

    private EventStatus status(EventEnvelope event) {
        return store.operatorStore().find(event.eventId()).orElseThrow().status();
    }

    private static final class Channel implements WakeUpChannel {
        final BlockingQueue<WakeUp> waiting = new LinkedBlockingQueue<>();
        volatile boolean closed;

        @Override
        public void send(WakeUp wakeUp) {
            waiting.add(wakeUp);
        }

        @Override
        public List<WakeUp> receive(Duration atMost) throws InterruptedException {
            WakeUp next = waiting.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return next == null ? List.of() : List.of(next);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
