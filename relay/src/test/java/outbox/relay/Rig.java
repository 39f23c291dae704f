package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.EventStatus;
import outbox.relay.route.Router;
import outbox.spi.DestinationTraits;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause;
import outbox.testkit.InMemoryStore;
import outbox.testkit.ManualTime;
import outbox.testkit.StoreFixture.Session;
import outbox.testkit.World;

/** A cluster of nodes on one store, without threads: time passes only when a test lets it, and loops run in time. */
final class Rig {

    /** More runs than this at one instant mean that a loop does not rest. */
    private static final int RUNS_AT_ONCE_MAX = 3_000;

    final ManualTime time = new ManualTime();
    final InMemoryStore store;

    /** What nodes that are made from now on have. */
    UnaryOperator<RelayConfig> settings = config -> config;

    Router router = Router.everythingTo("there");
    DestinationTraits traits = DestinationTraits.streaming();
    DestinationConfig treatment = DestinationConfig.defaults();

    private final List<RigNode> nodes = new ArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();
    private long elapsedNanos;

    Rig() {
        this.store = new InMemoryStore(time);
    }

    private Rig(boolean tellsHorizon) {
        this.store = tellsHorizon ? new InMemoryStore(time) : InMemoryStore.withoutHorizon(time);
    }

    /** On a store that does not know up to where no event will become visible any more. */
    static Rig withoutHorizon() {
        return new Rig(false);
    }

    /** A node that is driven by its test alone. */
    RigNode idle(String name) {
        RelayConfig config = settings.apply(
                RelayConfig.of(name).withSettle(SettleConfig.defaults().withRetryPolicy(attempts -> 1_000)));
        return new RigNode(this, config, true);
    }

    /** A node that has joined and runs as time passes. */
    RigNode start(String name) {
        RigNode node = idle(name);
        nodes.add(node);
        node.start();
        return node;
    }

    /** A node that has joined and is not ready for partitions. */
    RigNode unprepared(String name) {
        RelayConfig config = settings.apply(RelayConfig.of(name));
        RigNode node = new RigNode(this, config, false);
        nodes.add(node);
        node.start();
        return node;
    }

    /** A node that has taken all there is to take. */
    RigNode settled(String name) {
        RigNode node = start(name);
        pass(Duration.ofSeconds(5));
        return node;
    }

    String newId() {
        return "id-" + ids.incrementAndGet();
    }

    long elapsedNanos() {
        return elapsedNanos;
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    /** Lets everything happen that is due within this time. */
    void pass(Duration duration) {
        long end = elapsedNanos + duration.toNanos();
        runDue();
        for (long next = nextDue(); next <= end; next = nextDue()) {
            advance(next - elapsedNanos);
            runDue();
        }
        advance(end - elapsedNanos);
    }

    void passSeconds(int seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    private void advance(long nanos) {
        if (nanos > 0) {
            elapsedNanos += nanos;
            time.advance(Duration.ofNanos(nanos));
            nodes.forEach(node -> node.advance(Duration.ofNanos(nanos)));
        }
    }

    private void runDue() {
        int runs = 0;
        boolean ran = true;
        while (ran) {
            ran = false;
            for (RigNode node : nodes) {
                ran |= node.runNext(elapsedNanos);
            }
            assertThat(++runs).as("runs at one instant").isLessThan(RUNS_AT_ONCE_MAX);
        }
    }

    private long nextDue() {
        return nodes.stream().mapToLong(RigNode::nextDue).min().orElse(Long.MAX_VALUE);
    }

    // ---- events --------------------------------------------------------------------------------------------------

    EventEnvelope publish(EventEnvelope event) {
        try (Session session = store.newSession()) {
            session.begin();
            OutboxClient.storeOnly(session.store()).publish(event);
            session.commit();
        }
        return event;
    }

    EventEnvelope publish(String key) {
        return publish(World.ofKey(key));
    }

    List<EventEnvelope> publish(String key, int count) {
        return IntStream.range(0, count).mapToObj(n -> publish(key)).toList();
    }

    /** One event of each of a number of keys. */
    List<EventEnvelope> publishKeys(int count) {
        return IntStream.range(0, count).mapToObj(n -> publish("key-" + n)).toList();
    }

    void replay(EventEnvelope event) {
        store.operatorStore()
                .replay(new Selection.Ids(List.of(event.eventId())), null, 1, new OperatorAction("test", null));
    }

    EventStatus status(EventEnvelope event) {
        return store.operatorStore().find(event.eventId()).orElseThrow().status();
    }

    int attempts(EventEnvelope event) {
        return store.operatorStore().find(event.eventId()).orElseThrow().attempts();
    }

    int deaths(EventEnvelope event) {
        return store.operatorStore().find(event.eventId()).orElseThrow().deaths();
    }

    String error(EventEnvelope event) {
        return String.valueOf(store.operatorStore()
                .find(event.eventId())
                .orElseThrow()
                .state()
                .lastError());
    }

    void discard(EventEnvelope event) {
        store.operatorStore()
                .discard(new Selection.Ids(List.of(event.eventId())), null, 1, new OperatorAction("ada", "not needed"));
    }

    void assertDone(List<EventEnvelope> events) {
        assertThat(events).allMatch(event -> status(event) == EventStatus.DONE);
    }

    /** What all nodes together have delivered. */
    List<String> deliveredIds() {
        List<String> all = new ArrayList<>();
        nodes.forEach(node -> all.addAll(node.destination.eventIds()));
        nodes.forEach(node -> all.addAll(node.elsewhere.eventIds()));
        return all;
    }

    void assertDeliveredOnce(List<EventEnvelope> events) {
        assertThat(deliveredIds()).containsExactlyInAnyOrderElementsOf(ids(events));
        assertDone(events);
    }

    static List<String> ids(List<EventEnvelope> events) {
        return events.stream().map(EventEnvelope::eventId).toList();
    }

    // ---- operators -----------------------------------------------------------------------------------------------

    void pause(Pause.Kind kind, String name) {
        assertThat(store.clusterAdmin().pause(new Pause.Subject(kind, name), "a reason", "ada"))
                .isTrue();
    }

    void resume(Pause.Kind kind, String name) {
        assertThat(store.clusterAdmin().resume(new Pause.Subject(kind, name), "ada"))
                .isTrue();
    }
}
