package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Pause;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;

/** Loops that are notified of commits are fetched for together, and none takes settled events for pending. */
class RelayPrefetchTest {

    private static final ClusterLayout TERMS = RelayConfig.of("a").terms();
    private static final String HERE = keysOf(0).get(0);
    private static final String THERE = keysOf(1).get(0);

    private final Rig rig = new Rig();
    private RigNode node;

    private static List<String> keysOf(int partition) {
        return IntStream.range(0, 100)
                .mapToObj(n -> "key-" + n)
                .filter(key -> TERMS.partitionOf(KeyHash.of(key)) == partition)
                .toList();
    }

    private static List<WakeUp> notified(String... keys) {
        return List.of(new WakeUp(Set.of(keys).stream().map(KeyHash::of).collect(Collectors.toSet())));
    }

    @BeforeEach
    void start() {
        node = rig.settled("a");
        node.relay.wakeUps().commitsNotified(true);
        rig.passSeconds(5);
        node.line.forgetCalls();
    }

    @Test
    void fetchesOnceForLoopsThatAreNotifiedTogether() {
        List<EventEnvelope> events = List.of(rig.publish(HERE), rig.publish(THERE), rig.publish(HERE));
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        assertThat(node.line.calls("fetch")).isEqualTo(1);
        rig.pass(Duration.ofMillis(1));

        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
        assertThat(node.line.calls("fetch")).isEqualTo(1);
    }

    @Test
    void fetchesOnceForSuccessiveNotifications() {
        List<EventEnvelope> events = List.of(rig.publish(HERE), rig.publish(THERE));
        List<WakeUp> both = new ArrayList<>(notified(HERE));
        both.addAll(notified(THERE));
        node.relay.wakeUps().prefetch(both).run();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.line.calls("fetch")).isEqualTo(1);
        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
    }

    @Test
    void fetchesForALoopThatIsNotifiedAlone() {
        EventEnvelope event = rig.publish(HERE);
        node.relay.wakeUps().prefetch(notified(HERE)).run();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.line.calls("fetch")).isEqualTo(1);
        assertThat(node.destination.eventIds()).containsExactly(event.eventId());
    }

    @Test
    void fetchesACommitThatWasNotifiedDuringAFetch() {
        List<EventEnvelope> events = new ArrayList<>(List.of(rig.publish(HERE)));
        node.line.after(name -> {
            if (name.equals("fetch")) {
                node.line.after(other -> {});
                events.add(rig.publish(HERE));
                node.relay.wakeUps().wakeLane(KeyHash.of(HERE));
            }
        });
        node.relay.wakeUps().wakeLane(KeyHash.of(HERE));
        rig.pass(Duration.ofMillis(1));

        assertThat(events).hasSize(2);
        assertThat(node.destination.eventIds()).containsExactlyElementsOf(Rig.ids(events));
    }

    /** Notified when many lanes have something, which are few for each partition. */
    @Test
    void fetchesOnceForAllWhenAnyIsNotified() {
        List<EventEnvelope> events = rig.publishKeys(30);
        node.relay.wakeUps().prefetch(List.of(WakeUp.ANY)).run();
        assertThat(node.line.calls("fetch")).isEqualTo(1);
        rig.pass(Duration.ofMillis(1));

        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
        assertThat(node.line.calls("fetch")).isEqualTo(1);
    }

    @Test
    void deliversNothingAgainThatWasSettledSinceTheFetch() {
        Rig blind = Rig.withoutHorizon(); // So that every fetch shows all that is pending.
        RigNode blindNode = blind.settled("a");
        EventEnvelope event = blind.publish(HERE);
        Runnable handOver = blindNode.relay.wakeUps().prefetch(notified(HERE, THERE));
        blindNode.relay.wakeUps().wakeLane(KeyHash.of(HERE));
        blind.pass(SettleConfig.defaults().linger());
        blind.assertDone(List.of(event));

        handOver.run();
        blind.passSeconds(2);

        blind.assertDeliveredOnce(List.of(event));
    }

    @Test
    void aLoopFetchesForItselfWhenThePrefetchedPageIsOutOfDate() {
        node.destination.delayAnswers();
        rig.publish(HERE);
        node.relay.wakeUps().prefetch(notified(HERE)).run();
        rig.pass(Duration.ofMillis(1));
        EventEnvelope second = rig.publish(HERE);
        Runnable handOver = node.relay.wakeUps().prefetch(notified(HERE, THERE));
        node.destination.releaseAll();
        rig.pass(SettleConfig.defaults().linger());

        handOver.run();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.destination.eventIds()).endsWith(second.eventId());
    }

    @Test
    void aLoopFetchesForItselfWhereThereIsMore() {
        List<EventEnvelope> events = new ArrayList<>(rig.publish(HERE, 120));
        events.add(rig.publish(THERE));
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        assertThat(node.line.calls("fetch")).isEqualTo(1);
        rig.pass(Duration.ofMillis(10));

        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
    }

    @Test
    void leavesWhoHasMuchToDoToItself() {
        node.destination.delayAnswers();
        rig.publishKeys(2_000);
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(10));
        node.line.forgetCalls();

        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        assertThat(node.line.calls("fetch")).isZero();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.line.calls("fetch")).isEqualTo(2);
    }

    @Test
    void eachLoopFetchesForItselfWhenThePrefetchFails() {
        List<EventEnvelope> events = List.of(rig.publish(HERE), rig.publish(THERE));
        node.line.cut();
        Runnable handOver = node.relay.wakeUps().prefetch(notified(HERE, THERE));
        node.line.mend();
        handOver.run();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
        assertThat(node.notified(RelayEvent.PartFailed.class)).hasSize(1);
        assertFetchesTogetherAfterAWhile();
    }

    @Test
    void eachLoopFetchesForItselfForAWhileAfterASlowPrefetch() {
        node.line.before(call -> node.clock.advance(Duration.ofMillis(call.equals("fetch") ? 300 : 0)));
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        node.line.before(call -> {});
        rig.pass(Duration.ofMillis(1));

        assertFetchesTogetherAfterAWhile();
    }

    private void assertFetchesTogetherAfterAWhile() {
        node.line.forgetCalls();
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        assertThat(node.line.calls("fetch")).isZero();
        rig.passSeconds(6);
        node.line.forgetCalls();
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        assertThat(node.line.calls("fetch")).isEqualTo(1);
    }

    /** It was seen from where the numbers were before they went back, and says nothing of what is below. */
    @Test
    void takesNothingThatWasSeenBeforeItBeganAnew() {
        rig.publish(HERE, 5);
        rig.passSeconds(5);
        node.destination.delayAnswers(); // Nothing leaves memory meanwhile, which would be reason enough.
        rig.publish(HERE);
        Runnable handOver = node.relay.wakeUps().prefetch(notified(HERE, THERE));
        rig.store.restartNumbering();
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(1));
        EventEnvelope event = rig.publish(keysOf(0).get(1));
        rig.publish(THERE, 10);
        handOver.run();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.destination.eventIds()).endsWith(event.eventId());
    }

    @Test
    void runsNoLoopWithoutNewEvents() {
        node.freeze();
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        EventEnvelope event = rig.publish(HERE);
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        assertThat(node.line.calls("fetch")).isEqualTo(2);
        node.thaw();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.destination.eventIds()).containsExactly(event.eventId());
        assertThat(node.line.calls("fetch")).isEqualTo(2);
    }

    @Test
    void readsNothingAgainThatALoopHasInMemory() {
        Rig blind = Rig.withoutHorizon(); // So that every fetch begins with the oldest event.
        RigNode blindNode = blind.settled("a");
        blindNode.relay.wakeUps().commitsNotified(true);
        blindNode.destination.delayAnswers();
        blind.publish(HERE);
        blindNode.relay.wakeUps().prefetch(notified(HERE)).run();
        blind.pass(Duration.ofMillis(1));
        blindNode.line.forgetCalls();

        blindNode.freeze();
        blindNode
                .relay
                .wakeUps()
                .prefetch(notified(HERE))
                .run(); // With something to show there would be no more fetches before an iteration.
        blindNode.relay.wakeUps().prefetch(notified(HERE)).run();

        assertThat(blindNode.line.calls("fetch")).isEqualTo(2);
    }

    @Test
    void fetchesForLoopsThatWereNotNotified() {
        List<EventEnvelope> events = List.of(rig.publish(HERE), rig.publish(THERE));
        node.relay.wakeUps().prefetchAll(notified(HERE)).run();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.line.calls("fetch")).isEqualTo(1);
        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
    }

    @Test
    void fetchesForAllWithoutWakingLoopsThatFetchForThemselves() {
        node.destination.delayAnswers();
        rig.publishKeys(2_000);
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(10));
        node.line.forgetCalls();

        node.relay.wakeUps().prefetchAll(List.of()).run();
        rig.pass(Duration.ofMillis(1));

        assertThat(node.line.calls()).isZero();
    }

    /** Notifications come late, and all of them cost; in a flow the next fetch finds something anyway. */
    @Test
    void fetchesWithoutNotificationsWhileEventsFlow() throws InterruptedException {
        ScriptedChannel channel = new ScriptedChannel();
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            events.add(rig.publish("key-" + n));
            channel.words = n < 50 ? List.of(WakeUp.ANY) : List.of();
            node.relay.wakeUps().listenOnce(channel);
            rig.pass(Duration.ZERO);
        }
        assertThat(channel.atMost).isEqualTo(Duration.ofMillis(1));
        assertThat(node.destination.eventIds()).containsAll(Rig.ids(events));

        channel.words = List.of(WakeUp.ANY);
        channel.takes = Duration.ofNanos(100_000);
        long begun = node.clock.nanoTime();
        node.relay.wakeUps().listenOnce(channel);
        assertThat(node.clock.nanoTime() - begun)
                .as("notifications do not make it fetch more often")
                .isGreaterThanOrEqualTo(500_000);

        channel.words = List.of();
        channel.takes = Duration.ofMillis(1);
        for (int n = 0; n < 100; n++) {
            node.relay.wakeUps().listenOnce(channel);
        }
        assertThat(channel.atMost).as("once nothing flows").isEqualTo(Duration.ofMillis(500));
    }

    /** Passes on what it was given, a moment later. */
    private final class ScriptedChannel implements WakeUpChannel {

        private List<WakeUp> words = List.of();
        private Duration takes = Duration.ofMillis(1);
        private Duration atMost = Duration.ZERO;

        @Override
        public List<WakeUp> receive(Duration limit) {
            atMost = limit;
            node.clock.advance(takes);
            return words;
        }

        @Override
        public void send(WakeUp wakeUp) {}

        @Override
        public void close() {}
    }

    /** Otherwise pages would pile up for a loop whose iteration takes long. */
    @Test
    void prefetchesOnceForALoopUntilItHasRun() {
        List<Runnable> handOvers = new ArrayList<>();
        EventEnvelope event = rig.publish(HERE);
        for (int fetch = 0; fetch < 10; fetch++) {
            handOvers.add(node.relay.wakeUps().prefetch(notified(HERE, THERE)));
        }
        assertThat(node.line.calls("fetch")).isEqualTo(1);

        handOvers.forEach(Runnable::run);
        rig.passSeconds(1);
        rig.assertDeliveredOnce(List.of(event));
    }

    /** Writing takes as long as the disk does. */
    @Test
    void startsWhatMayGoBeforeItWrites() {
        node.destination.delayAnswers();
        rig.publish(HERE, 2);
        rig.publish(keysOf(0).get(1));
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(1));
        node.destination.releaseOne();
        rig.pass(Duration.ofMillis(1));
        node.freeze();
        rig.pass(SettleConfig.defaults().linger());
        EventEnvelope event = rig.publish(keysOf(0).get(2));
        node.relay.wakeUps().prefetch(notified(HERE, THERE)).run();
        List<List<String>> whenWritten = new ArrayList<>();
        node.line.before(call -> {
            if (call.equals("settle")) {
                whenWritten.add(List.copyOf(node.destination.eventIds()));
            }
        });
        node.thaw();
        rig.pass(Duration.ZERO);

        assertThat(whenWritten).hasSize(1);
        assertThat(whenWritten.get(0)).contains(event.eventId());
    }

    @Test
    void takesNothingIntoALoopThatWasPausedMeanwhile() {
        EventEnvelope event = rig.publish(HERE);
        Runnable handOver = node.relay.wakeUps().prefetch(notified(HERE, THERE));
        rig.pause(Pause.Kind.PARTITION, "0");
        node.relay.heartbeatOnce();
        node.relay.assignOnce();
        rig.pass(Duration.ZERO);
        handOver.run();
        rig.pass(Duration.ZERO);
        assertThat(node.relay.eventsInMemory()).isZero();
        assertThat(node.destination.eventIds()).isEmpty();

        rig.resume(Pause.Kind.PARTITION, "0");
        rig.passSeconds(2);
        rig.assertDeliveredOnce(List.of(event));
    }
}
