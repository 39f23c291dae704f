package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.relay.observe.RelayEvent;
import outbox.spi.DestinationTraits;
import outbox.spi.relay.Pause;
import outbox.testkit.World;

/** Events that are given up, what becomes of their keys, and replays. */
class RelayDeadEventTest {

    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Outcome REFUSED = new Outcome.Retryable("refused", null);

    private final Rig rig = new Rig();

    // For the tests in which a key is halted while the store fails.
    private final AtomicBoolean settling = new AtomicBoolean();
    private RigNode paused;

    @Test
    void givesUpAfterItsAttemptsAndReleasesTheKey() {
        rig.settings = config -> config.withSettle(config.settle().withMaxAttempts(3));
        RigNode node = rig.settled("a");
        EventEnvelope poison = rig.publish("k");
        EventEnvelope behind = rig.publish("k");
        node.destination.answer(delivery -> delivery.event().eventId().equals(poison.eventId()) ? REFUSED : DELIVERED);
        rig.passSeconds(10);

        assertThat(rig.status(poison)).isEqualTo(EventStatus.DEAD);
        assertThat(rig.attempts(poison)).isEqualTo(3);
        assertThat(rig.status(behind)).isEqualTo(EventStatus.DONE);
        assertThat(rig.store.clusterAdmin().pauses()).isEmpty();
        assertThat(node.notified(RelayEvent.Died.class))
                .containsExactly(new RelayEvent.Died(poison.eventId(), "there", 3, "refused"));
        assertThat(node.notified(RelayEvent.AttemptFailed.class)).hasSize(2);
    }

    @Test
    void givesUpAnEventAfterItsOwnAttempts() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> REFUSED);
        EventEnvelope once =
                rig.publish(World.sample().orderingKey("k").maxAttempts(1).build());
        rig.passSeconds(2);

        assertThat(rig.status(once)).isEqualTo(EventStatus.DEAD);
    }

    @Test
    void pausesTheKeyOfADeadEventIfConfiguredUntilAnOperatorResumesIt() {
        rig.settings = config -> config.withSettle(config.settle().withOnDeadEvent(SettleConfig.OnDeadEvent.PAUSE_KEY));
        RigNode node = rig.settled("a");
        EventEnvelope poison = rig.publish("k");
        EventEnvelope behind = rig.publish("k");
        EventEnvelope other = rig.publish("other");
        node.destination.answer(delivery ->
                delivery.event().eventId().equals(poison.eventId()) ? new Outcome.Rejected("never") : DELIVERED);
        rig.passSeconds(10);

        assertThat(rig.status(poison)).isEqualTo(EventStatus.DEAD);
        assertThat(rig.status(behind)).isEqualTo(EventStatus.NEW);
        assertThat(rig.status(other)).isEqualTo(EventStatus.DONE);
        assertThat(rig.store.clusterAdmin().pauses())
                .singleElement()
                .satisfies(hold -> assertThat(hold.reason()).contains(poison.eventId()));

        rig.resume(Pause.Kind.KEY, "k");
        rig.passSeconds(3);
        assertThat(rig.status(behind)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void takesNoMemoryFromOtherKeysForWhatWentWithTheEventThatPausesItsKey() {
        rig.traits = rig.traits.withEventsPerKeyMax(10);
        rig.settings = config -> config.withSettle(config.settle().withOnDeadEvent(SettleConfig.OnDeadEvent.PAUSE_KEY))
                .withClaim(ClaimConfig.defaults().withMemory(60, 10_000_000)); // Ten events for each partition.
        List<EventEnvelope> halted = rig.publish("k", 10);
        RigNode node = rig.start("a");
        node.destination.answer(delivery -> switch (halted.indexOf(delivery.event())) {
            case -1 -> DELIVERED;
            case 0 -> new Outcome.Rejected("never");
            default -> REFUSED;
        });
        rig.passSeconds(5);
        assertThat(rig.status(halted.get(0))).isEqualTo(EventStatus.DEAD);

        List<EventEnvelope> others = rig.publishKeys(60);
        rig.passSeconds(10);
        rig.assertDone(others);
    }

    @Test
    void keepsAKeyPausedWhenPausesAreLoadedBeforeThatIsWritten() {
        EventEnvelope behind = pauseWhileSettlingFails();
        rig.pause(Pause.Kind.KEY, "another");
        rig.passSeconds(2);
        settling.set(true);
        rig.passSeconds(5);

        assertThat(rig.status(behind)).isEqualTo(EventStatus.NEW);
    }

    @Test
    void keepsAKeyPausedWhenAReadOfThePausesBeganBeforeThatWasWritten() {
        EventEnvelope behind = pauseWhileSettlingFails();
        paused.line.after(name -> {
            if (name.equals("pauses")) {
                settling.set(true);
                paused.line.after(other -> {});
                paused.runLoops(); // Written after the read, and before what it showed is applied.
            }
        });
        rig.pause(Pause.Kind.KEY, "another");
        rig.passSeconds(5);

        assertThat(settling).isTrue();
        assertThat(rig.status(behind)).isEqualTo(EventStatus.NEW);
    }

    /** A dead event is to pause its key, and the store does not accept that; returns the event behind it. */
    private EventEnvelope pauseWhileSettlingFails() {
        rig.settings = config -> config.withSettle(config.settle().withOnDeadEvent(SettleConfig.OnDeadEvent.PAUSE_KEY));
        paused = rig.settled("a");
        paused.line.before(name -> {
            if (name.equals("settle") && !settling.get()) {
                throw new OutboxException("not now");
            }
        });
        EventEnvelope poison = rig.publish("k");
        paused.destination.answer(delivery ->
                delivery.event().eventId().equals(poison.eventId()) ? new Outcome.Rejected("never") : DELIVERED);
        EventEnvelope behind = rig.publish("k");
        rig.passSeconds(1);
        return behind;
    }

    @Test
    void pausesNothingForADeadEventWithoutAKey() {
        rig.settings = config -> config.withSettle(config.settle().withOnDeadEvent(SettleConfig.OnDeadEvent.PAUSE_KEY));
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> new Outcome.Rejected("never"));
        EventEnvelope keyless = rig.publish(World.event());
        rig.passSeconds(2);

        assertThat(rig.status(keyless)).isEqualTo(EventStatus.DEAD);
        assertThat(rig.store.clusterAdmin().pauses()).isEmpty();
    }

    @Test
    void pausesAKeyBeforeAnythingBehindAnUnreadableRowIsDelivered() {
        rig.traits = DestinationTraits.requestResponse();
        rig.settings = config -> config.withSettle(config.settle().withOnDeadEvent(SettleConfig.OnDeadEvent.PAUSE_KEY));
        rig.pause(Pause.Kind.SOURCE, "");
        RigNode node = rig.settled("a");
        EventEnvelope unreadable = rig.publish("k");
        EventEnvelope behind = rig.publish("k");
        rig.store.corruptHeaders(unreadable.eventId(), "no JSON");
        rig.resume(Pause.Kind.SOURCE, "");
        rig.passSeconds(3);

        assertThat(rig.status(unreadable)).isEqualTo(EventStatus.DEAD);
        assertThat(rig.status(behind)).isEqualTo(EventStatus.NEW);
        assertThat(node.destination.eventIds()).isEmpty();
    }

    @Test
    void declaresARowDeadThatCannotBeRead() {
        rig.pause(Pause.Kind.SOURCE, "");
        rig.settled("a");
        EventEnvelope unreadable = rig.publish("k");
        EventEnvelope behind = rig.publish("k");
        rig.store.corruptHeaders(unreadable.eventId(), "no JSON");
        rig.resume(Pause.Kind.SOURCE, "");
        rig.passSeconds(3);

        assertThat(rig.status(unreadable)).isEqualTo(EventStatus.DEAD);
        assertThat(rig.status(behind)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void deliversAReplayedDeadEvent() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> new Outcome.Rejected("never"));
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(3);
        assertThat(rig.status(event)).isEqualTo(EventStatus.DEAD);
        node.destination.answer(delivery -> DELIVERED);

        rig.replay(event);
        rig.passSeconds(2);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void deliversAReplayedEventWhoseReplayCommittedLate() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> new Outcome.Rejected("never"));
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(60);
        node.destination.answer(delivery -> DELIVERED);
        // The replay has the time at which its transaction began.
        rig.time.jumpWallClock(Duration.ofSeconds(-30));
        rig.replay(event);
        rig.time.jumpWallClock(Duration.ofSeconds(30));
        rig.passSeconds(12);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }
}
