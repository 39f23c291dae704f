package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.testkit.World;

/** Events that are given a time of their own. */
class RelayDelayedEventTest {

    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Outcome REFUSED = new Outcome.Retryable("refused", null);

    private final Rig rig = new Rig();

    @Test
    void deliversADelayedEventWhenItIsDueAndNotBefore() {
        RigNode node = rig.settled("a");
        EventEnvelope delayed = rig.publish(World.sample()
                .orderingKey("k")
                .availableAt(rig.time.instant().plusSeconds(20))
                .build());
        EventEnvelope younger = rig.publish("k");
        rig.passSeconds(19);
        assertThat(rig.status(younger))
                .as("it does not wait for what is delayed")
                .isEqualTo(EventStatus.DONE);
        assertThat(rig.status(delayed)).isEqualTo(EventStatus.NEW);

        rig.pass(Duration.ofMillis(1_100));

        assertThat(rig.status(delayed)).isEqualTo(EventStatus.DONE);
        assertThat(node.destination.eventIds()).hasSize(2);
    }

    @Test
    void letsADelayedEventJoinTheOrderOfItsKeyWhenItIsDue() {
        RigNode node = rig.settled("a");
        EventEnvelope delayed = rig.publish(World.sample()
                .orderingKey("k")
                .availableAt(rig.time.instant().plusSeconds(5))
                .build());
        EventEnvelope failing = rig.publish("k");
        node.destination.answer(delivery -> delivery.event().eventId().equals(failing.eventId())
                        && rig.elapsedNanos() < Duration.ofSeconds(11).toNanos()
                ? REFUSED
                : DELIVERED);
        rig.passSeconds(20);

        rig.assertDone(List.of(delayed, failing));
        List<String> order = node.destination.eventIds();
        assertThat(order.indexOf(delayed.eventId()))
                .as("it was inserted first")
                .isLessThan(order.lastIndexOf(failing.eventId()));
    }

    @Test
    void deliversManyDelayedEventsOfOneInstant() {
        rig.settled("a");
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 1_500; n++) {
            events.add(rig.publish(World.sample()
                    .orderingKey("k" + n)
                    .availableAt(rig.time.instant().plusSeconds(10 + n % 3))
                    .build()));
        }
        events.addAll(rig.publishKeys(40)); // So that a scan has gone past those that are delayed.
        rig.passSeconds(20);

        rig.assertDeliveredOnce(events);
    }

    @Test
    void deliversADelayedEventOnTimeThatComesDueBeforeTheFirstPoll() {
        RigNode node = rig.start("a");
        rig.passSeconds(1);
        // The partitions are acquired a little later than the peeks come.
        EventEnvelope delayed = rig.publish(World.sample()
                .orderingKey("k")
                .availableAt(rig.time.instant().plusMillis(500))
                .build());
        rig.passSeconds(4);

        assertThat(node.destination.eventIds()).containsExactly(delayed.eventId());
    }

    @Test
    void deliversADelayedEventOnTimeThatComesDueWhileItsPartitionBegins() {
        RigNode other = rig.settled("a");
        RigNode node = rig.settled("b");
        rig.passSeconds(20);
        String key = keyOf(other);
        node.freeze();
        other.stop();
        EventEnvelope delayed = rig.publish(World.sample()
                .orderingKey(key)
                .availableAt(rig.time.instant().plusMillis(50))
                .build());
        node.line.before(call -> {
            if (call.equals("peek")) {
                node.line.before(any -> {});
                node.relay.heartbeatOnce();
                node.relay.assignOnce();
                node.runLoops();
                rig.time.advance(Duration.ofMillis(100));
            }
        });
        node.relay.peekOnce();
        assertThat(node.loops()).as("some have begun meanwhile").hasSize(6);
        node.thaw();
        rig.passSeconds(3);

        assertThat(rig.status(delayed)).isEqualTo(EventStatus.DONE);
    }

    private static String keyOf(RigNode owner) {
        return IntStream.range(0, 1_000)
                .mapToObj(n -> "k" + n)
                .filter(key -> owner.loops().contains(KeyHash.of(key) % 6))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void deliversADelayedEventHoweverLateTheFirstPollComes() {
        rig.settings = config -> config.withClaim(ClaimConfig.defaults().withPollMax(Duration.ofMinutes(5)));
        rig.start("a");
        EventEnvelope delayed = rig.publish(World.sample()
                .orderingKey("k")
                .availableAt(rig.time.instant().plusSeconds(10))
                .build());
        rig.pass(Duration.ofMinutes(30));

        assertThat(rig.status(delayed)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void catchesUpAtOnceWithDelayedEventsThatCameDueDuringAnOutage() {
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 2_500; n++) {
            events.add(rig.publish(World.sample()
                    .orderingKey("k" + n)
                    .availableAt(rig.time.instant().plusMillis(1_000 + n / 2))
                    .build()));
        }
        events.addAll(rig.publishKeys(40)); // So that a scan has gone past those that are delayed.
        rig.pass(Duration.ofMillis(900));
        node.line.cut();
        rig.passSeconds(3);
        node.line.mend();
        rig.pass(Duration.ofMillis(50));
        assertThat(rig.deliveredIds()).hasSameSizeAs(events);

        rig.pass(SettleConfig.defaults().linger());
        rig.assertDeliveredOnce(events);
    }
}
