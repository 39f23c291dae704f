package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClaimStrategy;

/** Events that end the process which delivers them, and processes that are killed for other reasons. */
class RelayPoisonTest {

    /** Two nodes have to die before anything is suspected, and one before it is known what was in flight. */
    private static final int DEATHS_BEFORE_A_TRIAL = 3;

    private final Rig rig = new Rig();
    private final List<RigNode> nodes = new ArrayList<>();

    @Test
    void anEventThatEndsEveryNodeIsDeadAtTheLimitAndNoOtherIs() {
        List<EventEnvelope> others = new ArrayList<>(rig.publishKeys(20));
        EventEnvelope poison = rig.publish("key-3");
        others.addAll(rig.publishKeys(20));

        int killed = startUntilOneLives(Set.of(poison.eventId()));

        assertThat(rig.status(poison)).isEqualTo(EventStatus.DEAD);
        assertThat(rig.error(poison)).contains("the process ended 5 times", "deaths-max is 5");
        assertThat(killed).isEqualTo(DEATHS_BEFORE_A_TRIAL + 4);
        rig.assertDone(others);
        assertThat(others).allMatch(event -> rig.attempts(event) == 0);
        assertThat(nodes.getLast().notified(RelayEvent.Died.class)).hasSize(1);
        assertThat(nodes.getLast().destination.eventIds()).doesNotContain(poison.eventId());
    }

    @Test
    void anEventThatEndsEveryNodeSlowlyIsDeadAtTheLimitHoweverManyOthersAreAnsweredMeanwhile() {
        int perSlot = 10;
        rig.settings = config -> config.withClaim(ClaimConfig.defaults().withMemory(6 * perSlot, 64L << 20));
        EventEnvelope poison = rig.publish("key-3");
        List<EventEnvelope> others = new ArrayList<>();
        int killed = 0;
        for (; rig.status(poison) != EventStatus.DEAD; killed++) {
            assertThat(killed).as("nodes that were killed").isLessThan(40);
            RigNode node = rig.start("node-" + killed);
            node.destination.delayAnswers(isOneOf(Set.of(poison.eventId())));
            rig.passSeconds(12);
            others.addAll(rig.publishKeys(20 * perSlot));
            rig.passSeconds(2);
            node.kill();
        }
        rig.start("last");
        rig.passSeconds(15);

        assertThat(rig.error(poison)).contains("the process ended 5 times");
        assertThat(killed).isEqualTo(DEATHS_BEFORE_A_TRIAL + 5); // The last one finds it dead, and is killed as well.
        rig.assertDone(others);
    }

    @Test
    void theLimitIsASetting() {
        rig.settings = config -> config.withSettle(config.settle().withDeathsMax(3));
        EventEnvelope poison = rig.publish("k");

        assertThat(startUntilOneLives(Set.of(poison.eventId()))).isEqualTo(DEATHS_BEFORE_A_TRIAL + 2);

        assertThat(rig.error(poison)).contains("the process ended 3 times");
    }

    @Test
    void suspectsAreTriedOneAtATime() {
        List<EventEnvelope> events = rig.publishKeys(30);
        for (int n = 0; n < DEATHS_BEFORE_A_TRIAL; n++) {
            RigNode mortal = rig.start("mortal-" + n);
            mortal.destination.delayAnswers();
            rig.passSeconds(15);
            assertThat(mortal.destination.delayed()).hasSize(30);
            mortal.kill();
        }
        assertThat(events).allMatch(event -> rig.deaths(event) == 1);

        RigNode heir = rig.start("heir");
        heir.destination.delayAnswers();
        rig.passSeconds(15);

        for (int tried = 0; tried < events.size(); tried++) {
            assertThat(heir.destination.delayed()).hasSize(1);
            heir.destination.releaseOne();
            rig.pass(Duration.ofMillis(100));
        }
        assertThat(heir.notified(RelayEvent.SuspectTried.class)).hasSameSizeAs(events);
        rig.assertDone(events);
    }

    @Test
    void aNeighbourOfASuspectIsDeliveredWhileTheSuspectIsTried() {
        EventEnvelope poison = rig.publish("key-0");
        for (int n = 0; n < DEATHS_BEFORE_A_TRIAL; n++) {
            startAndPoison(Set.of(poison.eventId()));
        }
        RigNode node = rig.start("slow");
        node.destination.delayAnswers();
        rig.passSeconds(15);
        assertThat(node.destination.delayed()).hasSize(1);

        List<EventEnvelope> neighbours = rig.publishKeys(10).subList(1, 10);
        rig.passSeconds(1);
        assertThat(node.destination.eventIds()).containsAll(Rig.ids(neighbours));
        node.destination.releaseAll();
        rig.passSeconds(2);

        rig.assertDone(neighbours);
        rig.assertDone(List.of(poison));
        assertThat(rig.deaths(poison)).isZero();
    }

    @Test
    void severalSuchEventsAreDeadOneAfterTheOther() {
        List<EventEnvelope> others = new ArrayList<>(rig.publishKeys(12));
        List<EventEnvelope> poison = List.of(rig.publish("key-3"), rig.publish("key-4"), rig.publish("key-3"));
        others.addAll(rig.publishKeys(12));

        startUntilOneLives(new HashSet<>(Rig.ids(poison)));

        assertThat(poison).allMatch(event -> rig.status(event) == EventStatus.DEAD);
        rig.assertDone(others);
    }

    @Test
    void anOutageAndNodesThatAreKilledTogetherKillNoEvent() {
        List<EventEnvelope> events = rig.publishKeys(20);
        for (int n = 0; n < 12; n++) {
            RigNode node = rig.start("node-" + n);
            node.destination.answer(
                    delivery -> new Outcome.Unavailable("refused", Outcome.Unavailable.Scope.DESTINATION));
            rig.pass(Duration.ofMillis(14_000 + 170L * n));
            assertThat(node.destination.deliveries()).isNotEmpty();
            assertThat(events).allMatch(event -> rig.status(event) == EventStatus.NEW);
            node.kill();
        }
        assertThat(events).allMatch(event -> rig.deaths(event) == 0);

        rig.start("last");
        rig.passSeconds(60);
        rig.assertDone(events);
    }

    @Test
    void nodesThatAreKilledWhileTheyWorkKillNoEvent() {
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            RigNode node = rig.start("node-" + n);
            rig.passSeconds(12);
            node.destination.delayAnswers();
            events.addAll(rig.publishKeys(10));
            rig.passSeconds(1);
            node.kill();
        }
        rig.start("last");
        rig.passSeconds(60);

        rig.assertDone(events);
    }

    @Test
    void oneNodeThatIsKilledChangesNothing() {
        List<EventEnvelope> events = new ArrayList<>(rig.publishKeys(20));
        EventEnvelope poison = rig.publish("key-3");
        startAndPoison(Set.of(poison.eventId()));

        RigNode heir = rig.start("heir");
        rig.passSeconds(15);

        rig.assertDone(events);
        rig.assertDone(List.of(poison));
        assertThat(heir.line.calls("mark")).isZero();
        assertThat(heir.line.calls("outlived")).isEqualTo(6);
    }

    @Test
    void deathsFarApartAreNotInARow() {
        for (int n = 0; n < 5; n++) {
            List<EventEnvelope> events = rig.publishKeys(6);
            RigNode node = rig.start("node-" + n);
            rig.passSeconds(14);
            rig.assertDone(events);
            assertThat(node.line.calls("mark")).isZero();
            node.kill();
        }
    }

    @Test
    void whoeverWatchesStopsWhenItHasOutlivedItsPredecessors() {
        EventEnvelope poison = rig.publish("k");
        startAndPoison(Set.of(poison.eventId()));
        startAndPoison(Set.of(poison.eventId()));
        RigNode heir = rig.start("heir");
        rig.passSeconds(15);
        rig.assertDone(List.of(poison));
        int marks = heir.line.calls("mark");
        assertThat(marks).isPositive();

        List<EventEnvelope> more = rig.publishKeys(10);
        rig.passSeconds(2);

        rig.assertDone(more);
        assertThat(heir.line.calls("mark")).isEqualTo(marks);
    }

    @Test
    void aLeaseRelayGivesUpAnEventThatEndsEveryNode() {
        byLease();
        List<EventEnvelope> others = new ArrayList<>(rig.publishKeys(10));
        EventEnvelope poison = rig.publish("key-3");
        others.addAll(rig.publishKeys(10));

        int killed = startUntilOneLives(Set.of(poison.eventId()));

        assertThat(killed).isEqualTo(5);
        assertThat(rig.status(poison)).isEqualTo(EventStatus.DEAD);
        assertThat(rig.error(poison)).contains("the process ended 5 times");
        rig.assertDone(others);
    }

    @Test
    void aLeaseRelayTriesSuspectsOneAtATime() {
        byLease();
        List<EventEnvelope> events = rig.publishKeys(5);
        for (int n = 0; n < 2; n++) {
            RigNode mortal = rig.start("mortal-" + n);
            mortal.destination.delayAnswers();
            rig.passSeconds(5);
            assertThat(mortal.destination.delayed()).hasSize(5);
            mortal.kill();
            rig.passSeconds(31);
        }

        RigNode heir = rig.start("heir");
        heir.destination.delayAnswers();
        rig.passSeconds(5);
        for (int tried = 0; tried < events.size(); tried++) {
            assertThat(heir.destination.delayed()).hasSize(1);
            heir.destination.releaseOne();
            rig.passSeconds(3);
        }
        rig.assertDone(events);
    }

    private void byLease() {
        rig.settings = config -> config.withStrategy(ClaimStrategy.LEASE)
                .withClaim(ClaimConfig.defaults().withFetchMax(20).withLease(Duration.ofSeconds(30)));
    }

    // ---- leaves ----------------------------------------------------------------------------------------------------

    private int startUntilOneLives(Set<String> poison) {
        int killed = 0;
        while (startAndPoison(poison).line.isCut()) {
            assertThat(++killed).as("nodes that were killed").isLessThan(40);
        }
        return killed;
    }

    /** Starts a node that dies as soon as it delivers one of these, and writes nothing more. */
    private RigNode startAndPoison(Set<String> poison) {
        RigNode node = rig.start("node-" + nodes.size());
        nodes.add(node);
        Predicate<Delivery> kills = isOneOf(poison);
        node.destination.answer(delivery -> {
            if (kills.test(delivery)) {
                node.line.cut();
                node.kill();
            }
            return new Outcome.Delivered();
        });
        rig.passSeconds(60);
        return node;
    }

    private static Predicate<Delivery> isOneOf(Set<String> ids) {
        return delivery -> ids.contains(delivery.event().eventId());
    }
}
