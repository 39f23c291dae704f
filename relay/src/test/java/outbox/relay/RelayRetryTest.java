package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.spi.relay.WakeUp;

/** Attempts and fetches that fail and are repeated. */
class RelayRetryTest {

    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Outcome REFUSED = new Outcome.Retryable("refused", null);

    private final Rig rig = new Rig();

    @Test
    void retriesAnEventAndBlocksItsKeyMeanwhile() {
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = rig.publish("k", 3);
        EventEnvelope other = rig.publish("other");
        String first = events.get(0).eventId();
        node.destination.answer(
                delivery -> delivery.event().eventId().equals(first) && delivery.attempt() < 3 ? REFUSED : DELIVERED);
        rig.pass(Duration.ofMillis(1_500));

        assertThat(rig.status(other)).isEqualTo(EventStatus.DONE);
        assertThat(rig.status(events.get(0))).isEqualTo(EventStatus.RETRY);
        assertThat(rig.attempts(events.get(0))).isPositive();
        rig.passSeconds(4);
        rig.assertDone(events);
        assertThat(node.destination.eventIds())
                .filteredOn(id -> !id.equals(other.eventId()))
                .containsExactly(
                        first,
                        first,
                        first,
                        events.get(1).eventId(),
                        events.get(2).eventId());
        assertThat(rig.store.failedAttempts(first)).hasSize(2);
    }

    @Test
    void waitsAsLongAsTheDestinationAsksFor() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery ->
                delivery.attempt() == 1 ? new Outcome.Retryable("later", Duration.ofSeconds(30)) : DELIVERED);
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(29);
        assertThat(node.destination.deliveries()).hasSize(1);

        rig.passSeconds(3);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void retriesOnTimeAndFetchesOnlyThen() {
        RigNode node = rig.settled("a");
        rig.passSeconds(5);
        node.destination.answer(delivery ->
                delivery.attempt() == 1 ? new Outcome.Retryable("later", Duration.ofMillis(300)) : DELIVERED);
        rig.publish("k");
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(299));
        assertThat(node.destination.deliveries()).hasSize(1);
        assertThat(node.line.calls("fetchLanes")).isZero();

        rig.pass(Duration.ofMillis(2));

        assertThat(node.destination.deliveries()).hasSize(2);
        assertThat(node.line.calls("fetchLanes")).isEqualTo(1);
    }

    @Test
    void readsALaneAgainWhenItsFetchFailed() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery ->
                delivery.attempt() == 1 ? new Outcome.Retryable("later", Duration.ofSeconds(2)) : DELIVERED);
        EventEnvelope event = rig.publish("k");
        failOnce(node, "fetchLanes");
        rig.passSeconds(5);

        assertThat(node.notified(RelayEvent.PartFailed.class)).hasSize(1);
        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void readsALaneThatCannotBeReadAgainHalfAMinuteLater() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery ->
                delivery.attempt() == 1 ? new Outcome.Retryable("later", Duration.ofSeconds(2)) : DELIVERED);
        EventEnvelope event = rig.publish("k");
        node.line.alter((call, answer) -> call.equals("fetchLanes") ? List.of() : answer);
        rig.passSeconds(25);
        assertThat(node.line.calls("fetchLanes")).isEqualTo(1);
        assertThat(rig.status(event)).isEqualTo(EventStatus.RETRY);

        node.line.alter((call, answer) -> answer);
        rig.passSeconds(10);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void readsAPartitionAgainSoonWhenItsFetchFailed() {
        RigNode node = rig.settled("a");
        rig.passSeconds(5);
        EventEnvelope event = rig.publish("k");
        failOnce(node, "fetch");
        node.relay.wakeUps().wakeLane(KeyHash.of("k"));
        rig.pass(Duration.ofMillis(60));

        assertThat(node.notified(RelayEvent.PartFailed.class)).hasSize(1);
        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void failingEventsDieOfTheirAttemptsAndKeepNoOtherWaiting() {
        RigNode node = rig.settled("a");
        List<EventEnvelope> failing = rig.publishKeys(12); // More than breaker-failures.
        node.destination.answer(delivery -> failing.contains(delivery.event()) ? REFUSED : DELIVERED);
        rig.passSeconds(5);
        EventEnvelope good = rig.publish("another key");
        rig.passSeconds(2);

        rig.assertDone(List.of(good));
        rig.passSeconds(20);
        assertThat(failing)
                .allMatch(event -> rig.status(event) == EventStatus.DEAD)
                .allMatch(event -> rig.attempts(event) == 10);
        assertThat(node.notified(RelayEvent.BreakerChanged.class)).isEmpty();
    }

    @Test
    void countsTheAttemptOfAProbeThatWasAnswered() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> new Outcome.Unavailable("down", Outcome.Unavailable.Scope.DESTINATION));
        List<EventEnvelope> events = rig.publishKeys(12);
        rig.passSeconds(20);
        node.destination.answer(delivery -> REFUSED);
        rig.passSeconds(30);

        assertThat(events).allMatch(event -> rig.status(event) == EventStatus.DEAD);
    }

    @Test
    void repeatsAnAttemptThatWasNotAnsweredInTime() {
        rig.treatment = DestinationConfig.defaults().withDeadline(Duration.ofSeconds(3));
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        EventEnvelope event = rig.publish("k");
        rig.pass(Duration.ofMillis(3_500));
        assertThat(rig.status(event)).as("nothing else arrived meanwhile").isEqualTo(EventStatus.NEW);

        node.destination.releaseAll();
        rig.passSeconds(3);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(node.destination.deliveries()).hasSize(2);
    }

    @Test
    void noticesTheDeadlineOnTime() {
        rig.treatment = DestinationConfig.defaults().withDeadline(Duration.ofMillis(300));
        RigNode node = rig.settled("a");
        rig.passSeconds(5);
        node.destination.delayAnswers();
        EventEnvelope event = rig.publish("k");
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(301));

        assertThat(node.notified(RelayEvent.BreakerChanged.class))
                .extracting(RelayEvent.BreakerChanged::state)
                .containsExactly(State.OPEN);
        assertThat(rig.attempts(event)).isZero();
    }

    private static void failOnce(RigNode node, String call) {
        node.line.before(name -> {
            if (name.equals(call)) {
                node.line.before(other -> {});
                throw new OutboxException("it fails once");
            }
        });
    }

    // ---- several events of a key in one call -----------------------------------------------------------------------

    @Test
    void countsOnlyTheFirstFailureOfAKeysEventsInOneCall() {
        rig.traits = rig.traits.withEventsPerKeyMax(10);
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = delayedCallOf(node, 4);
        node.destination.answer(delivery -> delivery.event().equals(events.get(0)) ? DELIVERED : REFUSED);
        node.destination.releaseNewestFirst();
        rig.pass(Duration.ofMillis(100));

        assertThat(node.destination.calls()).hasSize(2);
        assertThat(rig.status(events.get(0))).isEqualTo(EventStatus.DONE);
        assertThat(events).extracting(rig::attempts).containsExactly(0, 1, 0, 0);
        assertThat(rig.store.failedAttempts(events.get(2).eventId())).isEmpty();

        node.destination.answer(delivery -> DELIVERED);
        node.destination.releaseAll();
        rig.passSeconds(5);
        rig.assertDone(events);
        assertThat(node.destination.eventIds().stream().skip(5))
                .containsExactlyElementsOf(Rig.ids(events.subList(1, 4)));
    }

    @Test
    void countsNoFailureBehindARejectedEventOfTheSameCall() {
        rig.traits = rig.traits.withEventsPerKeyMax(10);
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = delayedCallOf(node, 3);
        node.destination.answer(
                delivery -> delivery.event().equals(events.get(0)) ? new Outcome.Rejected("no") : REFUSED);
        node.destination.releaseNewestFirst();
        node.destination.answer(delivery -> DELIVERED);
        node.destination.releaseAll();
        rig.passSeconds(5);

        assertThat(rig.status(events.get(0))).isEqualTo(EventStatus.DEAD);
        rig.assertDone(events.subList(1, 3));
        assertThat(events.subList(1, 3)).extracting(rig::attempts).containsExactly(0, 0);
    }

    /** A number of events of one key, in one call that waits for its answers. */
    private List<EventEnvelope> delayedCallOf(RigNode node, int count) {
        node.destination.delayAnswers();
        rig.publish("k"); // While it is in flight, those behind it gather.
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(10));
        List<EventEnvelope> events = rig.publish("k", count);
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(10));
        node.destination.releaseNewestFirst();
        rig.pass(Duration.ofMillis(100));
        assertThat(node.destination.calls().getLast()).hasSize(count);
        return events;
    }
}
