package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.relay.route.RouteTable.Target.to;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.model.Outcome;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Match;
import outbox.relay.route.RouteTable;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.WakeUp;
import outbox.testkit.World;

/** What a node reads, keeps in memory and asks of its store. */
class RelayCostTest {

    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Duration LINGER = SettleConfig.defaults().linger();

    private final Rig rig = new Rig();

    @Test
    void readsOnAtOnceWhileThereIsMore() {
        rig.settings = config -> config.withClaim(ClaimConfig.defaults().withFetchMax(10));
        RigNode node = rig.settled("a");
        rig.passSeconds(5);
        List<EventEnvelope> events = rig.publishKeys(300);
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ZERO);

        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
    }

    @Test
    void gathersAnswersForAMomentWhileMuchIsInFlight() {
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        publishTwiceInOnePartition(60);
        rig.passSeconds(2);
        int before = node.destination.calls().size();

        for (int answer = 0; answer < 10; answer++) {
            node.destination.releaseOne();
            rig.pass(Duration.ofNanos(50_000));
        }
        assertThat(node.destination.calls()).hasSize(before + 1);
        rig.pass(Duration.ofMillis(1));

        assertThat(node.destination.calls()).hasSize(before + 2);
        assertThat(node.destination.calls().get(before + 1)).hasSize(9);
    }

    @Test
    void gathersNothingWhileLittleIsInFlight() {
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        publishTwiceInOnePartition(20);
        rig.passSeconds(2);
        int before = node.destination.calls().size();

        for (int answer = 0; answer < 10; answer++) {
            node.destination.releaseOne();
            rig.pass(Duration.ofNanos(50_000));
        }

        assertThat(node.destination.calls()).hasSize(before + 10);
    }

    private void publishTwiceInOnePartition(int keys) {
        keysOfOnePartition(keys).forEach(key -> rig.publish(key, 2));
    }

    private static List<String> keysOfOnePartition(int count) {
        ClusterLayout terms = RelayConfig.of("a").terms();
        return Stream.iterate(0, n -> n + 1)
                .map(n -> "key-" + n)
                .filter(key -> terms.partitionOf(KeyHash.of(key)) == 0)
                .limit(count)
                .toList();
    }

    @Test
    void readsBeyondWhatIsInMemoryWhereTheStoreVouchesForNothing() {
        Rig blind = Rig.withoutHorizon();
        blind.settings = config -> config.withClaim(ClaimConfig.defaults().withFetchMax(5));
        RigNode node = blind.settled("a");
        node.destination.delayAnswers();
        List<EventEnvelope> events = blind.publishKeys(120);
        blind.passSeconds(3);
        assertThat(node.destination.delayed()).hasSize(120);

        node.destination.releaseAll();
        blind.passSeconds(3);
        blind.assertDeliveredOnce(events);
    }

    @Test
    void settlesATrickleInBatches() {
        RigNode node = rig.settled("a");
        settlesATrickleInBatches(node, "trickle");
    }

    @Test
    void settlesATrickleInBatchesBesideAKeyThatIsParked() {
        RigNode node = rig.settled("a");
        List<String> keys = keysOfOnePartition(2);
        node.destination.answer(delivery -> keys.get(0).equals(delivery.event().orderingKey())
                ? new Outcome.Retryable("later", Duration.ofMinutes(10))
                : DELIVERED);
        rig.publish(keys.get(0), 2);
        rig.passSeconds(1);

        settlesATrickleInBatches(node, keys.get(1));
    }

    private void settlesATrickleInBatches(RigNode node, String key) {
        node.line.forgetCalls();
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 40; n++) {
            events.add(rig.publish(key));
            node.relay.wakeUps().wake(WakeUp.ANY);
            rig.pass(LINGER.dividedBy(4));
        }
        rig.pass(LINGER);

        rig.assertDone(events);
        assertThat(node.line.calls("settle")).as("%s", node.line).isBetween(8, 12);
    }

    @Test
    void doesNotRunForAnAnswerThatChangesNothingBeforeTheNextBatch() {
        RigNode node = rig.settled("a");
        List<String> keys = inFlightSoonAfterABatch(node);
        int runs = node.loopRuns();
        rig.pass(Duration.ofMillis(3));
        node.destination.releaseAll();
        rig.pass(Duration.ofMillis(1));
        assertThat(node.loopRuns()).isEqualTo(runs);

        rig.pass(LINGER);
        assertThat(rig.store.isQuiet()).as("%s", keys).isTrue();
        assertThat(node.notified(RelayEvent.Delivered.class))
                .extracting(RelayEvent.Delivered::latency)
                .as("it counts when the answer came")
                .containsExactly(Duration.ZERO, Duration.ofMillis(3));
    }

    @Test
    void runsAtOnceForAFailure() {
        RigNode node = rig.settled("a");
        inFlightSoonAfterABatch(node);
        int runs = node.loopRuns();
        node.destination.answer(delivery -> new Outcome.Retryable("later", null));
        node.destination.releaseAll();
        rig.pass(Duration.ZERO);

        assertThat(node.loopRuns()).isGreaterThan(runs);
        assertThat(node.notified(RelayEvent.AttemptFailed.class)).hasSize(1);
    }

    @Test
    void runsAtOnceForAnEventThatIsForwardedToItsNextDestination() {
        rig.router = RouteTable.builder()
                .route("both", Match.all(), to("there"), to("elsewhere"))
                .build()
                .router();
        RigNode node = rig.settled("a");
        inFlightSoonAfterABatch(node);
        node.destination.releaseAll();
        rig.pass(Duration.ZERO);

        assertThat(node.elsewhere.eventIds()).hasSize(2);
    }

    /** One event is settled, and another is in flight. */
    private List<String> inFlightSoonAfterABatch(RigNode node) {
        List<String> keys = keysOfOnePartition(2);
        rig.publish(keys.get(0));
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ZERO);
        node.destination.delayAnswers();
        rig.publish(keys.get(1));
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ZERO);
        assertThat(node.destination.delayed()).hasSize(1);
        return keys;
    }

    /** Its key continues when that is written, and its delay begins then. */
    @Test
    void settlesAFailureAtOnce() {
        RigNode node = rig.settled("a");
        List<String> keys = keysOfOnePartition(2);
        node.destination.answer(delivery ->
                keys.get(0).equals(delivery.event().orderingKey()) ? new Outcome.Retryable("later", null) : DELIVERED);
        rig.publish(keys.get(1));
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ZERO);
        EventEnvelope failing = rig.publish(keys.get(0));
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ZERO);

        assertThat(rig.attempts(failing)).isEqualTo(1);
    }

    @Test
    void settlesAtOnceWhatBlocksMore() {
        rig.settings = config -> config.withClaim(ClaimConfig.defaults().withMemory(60, 10_000_000));
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = rig.publishKeys(300);
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ZERO);

        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
    }

    @Test
    void settlesMuchAtOnce() {
        RigNode node = rig.settled("a");
        for (int round = 0; round < 2; round++) { // The second without a rest after the first.
            List<EventEnvelope> events = rig.publish("much", 100);
            node.relay.wakeUps().wake(WakeUp.ANY);
            rig.pass(Duration.ZERO);
            rig.assertDone(events);
        }
    }

    @Test
    void pollsSeldomWhileItIsNotifiedOfCommits() {
        RigNode node = rig.settled("a");
        node.relay.wakeUps().commitsNotified(true);
        rig.publishKeys(5);
        node.line.forgetCalls();
        rig.passSeconds(10);

        assertThat(node.line.calls("peek")).isLessThanOrEqualTo(11);
    }

    @Test
    void pollsSeldomWhileEveryPartitionHasMoreThanItCanHold() {
        rig.settings = config -> config.withClaim(ClaimConfig.defaults().withMemory(60, 10_000_000));
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(1_000);
        rig.passSeconds(1);
        node.line.forgetCalls();
        rig.passSeconds(10);
        assertThat(node.line.calls("peek")).isBetween(50, 110); // Often enough for delayed events.

        node.destination.releaseAll();
        rig.passSeconds(10);
        rig.assertDone(events);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 64})
    void costsAtMostThreeCallsASecondWhenThereIsNothingToDo(int partitions) {
        rig.store.clusterAdmin().changePartitions(partitions, "ada");
        rig.store.clusterStore().repartition();
        rig.settings = config -> config.withPartitions(partitions);
        RigNode a = rig.start("a");
        RigNode b = rig.start("b");
        rig.passSeconds(20);
        a.line.forgetCalls();
        b.line.forgetCalls();
        rig.passSeconds(60);

        assertThat(a.loops().size() + b.loops().size()).isEqualTo(partitions);
        assertThat(a.line.calls()).as("%s", a.line).isLessThanOrEqualTo(180);
        assertThat(b.line.calls()).as("%s", b.line).isLessThanOrEqualTo(180);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void worksWithAnyNumberOfPartitions(int partitions) {
        deliversWith(partitions);
    }

    @Test
    void worksWithMorePartitionsThanMemoryCanBeDividedBy() {
        deliversWith(200);
    }

    private void deliversWith(int partitions) {
        rig.store.clusterAdmin().changePartitions(partitions, "ada");
        rig.store.clusterStore().repartition();
        rig.settings = config -> config.withPartitions(partitions);
        rig.start("a");
        List<EventEnvelope> events = rig.publishKeys(400);
        rig.passSeconds(15);

        rig.assertDeliveredOnce(events);
    }

    @Test
    void readsWhatIsBehindAParkedKeyOnceAndLetsOthersFlow() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> "parked".equals(delivery.event().orderingKey())
                ? new Outcome.Retryable("later", Duration.ofMinutes(10))
                : DELIVERED);
        rig.publish("parked", 5_000);
        rig.passSeconds(2);
        node.line.forgetCalls();
        List<EventEnvelope> others = new ArrayList<>();
        for (int second = 0; second < 30; second++) {
            others.addAll(rig.publishKeys(10));
            rig.passSeconds(1);
        }

        rig.assertDone(others);
        assertThat(node.line.calls("fetch")).as("%s", node.line).isLessThanOrEqualTo(30 * 6);
        assertThat(node.line.calls("fetchLanes")).isZero();
        assertThat(node.relay.eventsInMemory()).isZero();
    }

    @Test
    void keepsNoMoreInMemoryThanItMay() {
        rig.settings = config ->
                config.withPartitions(6).withClaim(ClaimConfig.defaults().withMemory(120, 6L << 20));
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        for (int n = 0; n < 600; n++) {
            rig.publish("k" + n);
        }
        rig.passSeconds(5);
        assertThat(node.relay.eventsInMemory()).isBetween(60, 120);

        node.destination.releaseAll();
        rig.passSeconds(10);
        assertThat(rig.store.isQuiet()).isTrue();
        assertThat(node.destination.eventIds()).hasSize(600).doesNotHaveDuplicates();
    }

    @Test
    void keepsNoMoreBytesInMemoryThanItMay() {
        rig.settings = config -> config.withClaim(ClaimConfig.defaults().withMemory(12_000, 6L << 20));
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        for (int n = 0; n < 60; n++) {
            rig.publish(World.ofBytes(400_000));
        }
        rig.passSeconds(5);
        // A mebibyte per partition, and one event more at most.
        assertThat(node.relay.eventsInMemory()).isBetween(6, 6 * 3);

        node.destination.releaseAll();
        rig.passSeconds(10);
        assertThat(rig.store.isQuiet()).isTrue();
        assertThat(node.destination.eventIds()).hasSize(60);
    }

    @Test
    void readsNoMoreBytesThanThereIsRoomFor() {
        RigNode node = withLittleMemory();
        List<EventEnvelope> events = publishLarge(3_000);
        node.line.forgetCalls();
        rig.passSeconds(5);

        rig.assertDeliveredOnce(events);
        // Only the first fetch of each partition does not know how large events are, and what it brings too much is
        // fetched
        // up.
        assertThat(node.line.calls("fetchLanes")).as("%s", node.line).isLessThanOrEqualTo(6);
    }

    @Test
    void doesNotReadForEveryFewBytesThatLeave() {
        RigNode node = withLittleMemory();
        publishLarge(60); // So that each loop knows how large they are, and reads no more than it has room for.
        rig.passSeconds(2);
        node.destination.delayAnswers();
        publishLarge(3_000);
        rig.passSeconds(2);
        node.line.forgetCalls();
        for (int answer = 0; answer < 60; answer++) {
            node.destination.releaseOne();
            rig.pass(LINGER);
        }

        assertThat(node.line.calls("settle")).as("%s", node.line).isGreaterThan(30);
        assertThat(node.line.calls("fetch")).as("%s", node.line).isLessThanOrEqualTo(12);
    }

    private RigNode withLittleMemory() {
        rig.settings = config -> config.withClaim(ClaimConfig.defaults().withMemory(12_000, 1L << 20));
        return rig.settled("a");
    }

    private List<EventEnvelope> publishLarge(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> rig.publish(World.ofBytes(1_000)))
                .toList();
    }

    @Test
    void namesAKeyThatIsHot() {
        RigNode node = rig.settled("a");
        for (int round = 0; round < 10; round++) {
            rig.publish("hot", 1_000);
            rig.passSeconds(1);
        }
        rig.passSeconds(5);

        assertThat(node.notified(RelayEvent.HotKey.class))
                .singleElement()
                .satisfies(hot -> assertThat(hot.key()).isEqualTo("hot"));
        assertThat(node.notified(RelayEvent.HotPartition.class)).isNotEmpty();
    }
}
