package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.Pause;

/** Claiming by lease: no ownership, each row with a token. */
class RelayLeaseTest {

    private final Rig rig = new Rig();

    @BeforeEach
    void byLease() {
        rig.settings = config -> config.withStrategy(ClaimStrategy.LEASE)
                .withClaim(ClaimConfig.defaults().withFetchMax(20).withLease(Duration.ofSeconds(30)));
    }

    @Test
    void sharesTheEventsOfTwoNodes() {
        rig.start("a");
        rig.start("b");
        List<EventEnvelope> events = new ArrayList<>();
        for (int second = 0; second < 10; second++) {
            events.addAll(rig.publishKeys(20));
            rig.passSeconds(1);
        }
        rig.passSeconds(3);

        rig.assertDeliveredOnce(events);
    }

    @Test
    void keepsItsLoopAsLongAsItRuns() {
        RigNode a = rig.settled("a");
        rig.passSeconds(30);

        assertThat(a.loops()).containsExactly(0);
        assertThat(a.notified(RelayEvent.PartitionReleased.class)).isEmpty();
        assertThat(a.notified(RelayEvent.PartitionLost.class)).isEmpty();
    }

    @Test
    void deliversAgainWhatADeadNodeHadClaimed() {
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(10);
        rig.passSeconds(2);
        assertThat(a.destination.delayed()).hasSize(10);
        a.kill();
        RigNode b = rig.settled("b");
        assertThat(b.destination.eventIds()).isEmpty();
        rig.passSeconds(30);

        assertThat(b.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
        rig.assertDone(events);
    }

    @Test
    void renewsTheClaimsOfWhatTakesLong() {
        rig.treatment = rig.treatment.withDeadline(Duration.ofMinutes(5));
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        b.destination.answer(delivery -> new Outcome.Rejected("not b's"));
        a.destination.delayAnswers();
        b.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(10);
        rig.pass(Duration.ofMinutes(2));
        assertThat(a.destination.delayed().size() + b.destination.delayed().size())
                .isEqualTo(10);
        b.destination.answer(delivery -> new Outcome.Delivered());
        a.destination.releaseAll();
        b.destination.releaseAll();
        rig.passSeconds(2);

        rig.assertDeliveredOnce(events);
    }

    @Test
    void letsWhatIsBehindAFailureGoOn() {
        RigNode a = rig.settled("a");
        EventEnvelope failing = rig.publish("k");
        EventEnvelope behind = rig.publish("k");
        a.destination.answer(delivery -> delivery.event().eventId().equals(failing.eventId()) && delivery.attempt() < 3
                ? new Outcome.Retryable("refused", null)
                : new Outcome.Delivered());
        rig.pass(Duration.ofMillis(1_100));
        assertThat(rig.status(behind)).isEqualTo(EventStatus.DONE);
        assertThat(rig.status(failing)).isEqualTo(EventStatus.RETRY);
        rig.passSeconds(6);

        assertThat(rig.status(failing)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void givesBackWhatItHasNotBegunWhenItStops() {
        rig.traits = rig.traits.withEventsInFlightMax(1);
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(10);
        rig.passSeconds(2);
        assertThat(a.relay.eventsInMemory()).isEqualTo(10);
        a.relay.stop();
        rig.pass(Duration.ofMillis(200));
        a.destination.releaseAll();
        a.stop();
        RigNode b = rig.settled("b");

        assertThat(b.destination.eventIds()).hasSize(9);
        rig.assertDeliveredOnce(events);
    }

    /** The outcome of a delivery belongs to the event as it was, and not to what an operator has replayed since. */
    @Test
    void doesNotSettleAReplayedEventWithTheOutcomeOfAnEarlierDelivery() {
        rig.treatment = rig.treatment.withDeadline(Duration.ofMinutes(10));
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(2);
        assertThat(a.destination.delayed()).hasSize(1);
        a.freeze();
        RigNode b = rig.settled("b");
        b.destination.answer(delivery -> new Outcome.Rejected("can never be delivered"));
        rig.passSeconds(60);
        assertThat(rig.status(event)).isEqualTo(EventStatus.DEAD);
        b.kill();
        rig.replay(event);

        a.thaw();
        rig.passSeconds(2);
        a.destination.releaseAll();
        rig.passSeconds(20);

        assertThat(a.destination.eventIds()).as("delivered again").hasSize(2);
        rig.assertDone(List.of(event));
    }

    @Test
    void deliversNothingThatAnotherTookWhileItWasFrozen() {
        rig.traits = rig.traits.withEventsInFlightMax(1);
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(10);
        rig.passSeconds(2);
        a.freeze();
        RigNode b = rig.settled("b");
        rig.passSeconds(60);
        rig.assertDone(events);
        assertThat(b.destination.eventIds()).hasSize(10);

        a.thaw();
        a.destination.releaseAll();
        rig.passSeconds(10);

        assertThat(a.destination.eventIds()).as("only what was in flight").hasSize(1);
    }

    @Test
    void isNotStarvedByAPausedKey() {
        rig.settled("a");
        rig.pause(Pause.Kind.KEY, "k");
        rig.passSeconds(2);
        rig.publish("k", 50);
        EventEnvelope other = rig.publish("other");
        rig.passSeconds(10);

        assertThat(rig.status(other)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void givesBackAtOnceWhatItMayNotDeliver() {
        rig.settled("a");
        rig.pause(Pause.Kind.KEY, "k");
        rig.passSeconds(2);
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(5);
        assertThat(rig.status(event)).isEqualTo(EventStatus.NEW);
        rig.resume(Pause.Kind.KEY, "k");
        rig.passSeconds(3);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void renewsNothingThatIsDone() {
        RigNode a = rig.settled("a");
        rig.publishKeys(10);
        rig.pass(Duration.ofMinutes(2));

        assertThat(a.line.calls("renew")).isZero();
    }

    @Test
    void claimsOnAtOnceWhileThereIsMore() {
        RigNode a = rig.settled("a");
        rig.passSeconds(5);
        rig.publishKeys(200);
        a.relay.wakeUps().wake(outbox.spi.relay.WakeUp.ANY);
        rig.pass(Duration.ZERO);

        assertThat(a.destination.eventIds()).hasSize(200);
    }

    @Test
    void stopsTheWholeSource() {
        RigNode a = rig.settled("a");
        rig.pause(Pause.Kind.SOURCE, "");
        rig.passSeconds(2);
        List<EventEnvelope> events = rig.publishKeys(5);
        rig.passSeconds(5);
        assertThat(a.destination.eventIds()).isEmpty();

        rig.resume(Pause.Kind.SOURCE, "");
        rig.passSeconds(3);
        rig.assertDeliveredOnce(events);
    }
}
