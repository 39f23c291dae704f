package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.model.Outcome;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.WakeUp;

/** Numbers go back under a relay at work: the table is emptied, a dump restored, or the sequence reset. */
class RelaySequenceResetTest {

    private static final Outcome DELIVERED = new Outcome.Delivered();

    private Rig rig = new Rig();

    @Test
    void deliversWhatIsPublishedAfterTheTableWasEmptied() {
        RigNode node = rig.settled("a");
        rig.publish("k", 20);
        rig.passSeconds(5);
        rig.store.empty();
        List<EventEnvelope> events = rig.publish("k", 25);
        rig.passSeconds(2);

        assertThat(node.destination.eventIds()).endsWith(ids(events));
        rig.assertDone(events);
    }

    @Test
    void aKeyDoesNotWaitForTheRetryOfAnEventThatIsGone() {
        RigNode node = rig.settled("a");
        rig.publish("other", 5);
        node.destination.answer(delivery -> new Outcome.Retryable("later", Duration.ofMinutes(10)));
        rig.publish("k", 3);
        rig.passSeconds(5);
        rig.store.empty();
        node.destination.answer(delivery -> DELIVERED);
        List<EventEnvelope> events = rig.publish("k", 5);
        rig.passSeconds(2);

        assertThat(node.destination.eventIds()).endsWith(ids(events));
        rig.assertDone(events);
    }

    @Test
    void aKeyDoesNotWaitForTheRetryOfAnEventThatIsGoneAndWasInFlight() {
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        rig.publish("k", 3);
        rig.passSeconds(5);
        rig.store.empty();
        List<EventEnvelope> events = rig.publish("k", 5);
        rig.passSeconds(2);
        node.destination.answer(delivery -> new Outcome.Retryable("later", Duration.ofMinutes(10)));
        node.destination.releaseOne();
        node.destination.answer(delivery -> DELIVERED);
        node.destination.releaseAll();
        rig.passSeconds(2);

        assertThat(node.destination.eventIds()).endsWith(ids(events));
        rig.assertDone(events);
    }

    @Test
    void takesAnEventThatWasGivenTheNumberOfOneInFlight() {
        for (Rig each : List.of(new Rig(), Rig.withoutHorizon())) {
            rig = each;
            RigNode node = rig.settled("a");
            node.relay
                    .wakeUps()
                    .commitsNotified(
                            true); // So that fetches for several loops are made, which leave out what is in memory.
            node.destination.delayAnswers();
            List<String> keys = keysOfOnePartition(30);
            List<EventEnvelope> inFlight =
                    keys.subList(0, 15).stream().map(rig::publish).toList();
            rig.passSeconds(2);
            assertThat(node.destination.delayed()).hasSize(15);
            rig.store.restartNumbering();
            List<EventEnvelope> events = new ArrayList<>();
            for (String key : keys.subList(15, 30)) {
                events.add(rig.publish(key));
                node.relay.wakeUps().wake(WakeUp.ANY);
                rig.pass(Duration.ofMillis(1));
            }
            rig.passSeconds(2);

            assertThat(node.destination.delayed()).hasSize(30);
            node.destination.releaseAll();
            rig.passSeconds(2);
            rig.assertDeliveredOnce(new ArrayList<>(
                    List.of(inFlight, events).stream().flatMap(List::stream).toList()));
        }
    }

    @Test
    void noticesASequenceWhoseValueWasSet() {
        RigNode node = rig.settled("a");
        rig.publish("k", 20);
        rig.passSeconds(5);
        rig.store.setNumber(3);
        List<EventEnvelope> events = rig.publish("k", 5);
        rig.passSeconds(2);

        assertThat(node.destination.eventIds()).endsWith(ids(events));
    }

    @Test
    void findsWhatWasGivenANumberBelowTheBoundWithoutNotice() {
        RigNode node = rig.settled("a");
        rig.publish("k", 20);
        rig.passSeconds(5);
        rig.store.setNumber(3);
        List<EventEnvelope> events = rig.publish("k", 25);
        rig.passSeconds(601);

        assertThat(node.destination.eventIds()).containsAll(Rig.ids(events));
        rig.assertDone(events);
    }

    private static List<String> keysOfOnePartition(int count) {
        ClusterLayout terms = RelayConfig.of("a").terms();
        return Stream.iterate(0, n -> n + 1)
                .map(n -> "key-" + n)
                .filter(key -> terms.partitionOf(KeyHash.of(key)) == 0)
                .limit(count)
                .toList();
    }

    private static String[] ids(List<EventEnvelope> events) {
        return Rig.ids(events).toArray(String[]::new);
    }
}
