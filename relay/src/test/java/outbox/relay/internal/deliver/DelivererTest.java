package outbox.relay.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.relay.DestinationConfig;
import outbox.relay.DestinationStatus;
import outbox.relay.Rows;
import outbox.relay.internal.model.Consequence;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.testkit.ManualTime;
import outbox.testkit.RecordingDestination;

class DelivererTest {

    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Outcome REFUSED = new Outcome.Retryable("refused", null);
    private static final DestinationTraits TRAITS = new DestinationTraits(10, 10, 4, 100, 8L << 20);

    private final ManualTime time = new ManualTime();
    private final AtomicInteger woken = new AtomicInteger();
    private final RecordingDestination destination = new RecordingDestination(TRAITS);
    private final DestinationGate gate = gate(destination);
    private final Deliverer deliverer = new Deliverer(3, time, answer -> false, woken::incrementAndGet);

    @Test
    void givesOneOutcomeForEachEvent() {
        Sendings.Sent first = Sendings.of(1, "a");
        Sendings.Sent second = Sendings.of(2, "b");
        destination.answer(delivery -> delivery.event().eventId().equals("event-2") ? REFUSED : DELIVERED);

        start(first, second);

        assertThat(deliverer.takeResults())
                .containsExactly(
                        new DeliveryResult(first, "there", DELIVERED, Consequence.ATTEMPTED, time.nanoTime()),
                        new DeliveryResult(second, "there", REFUSED, Consequence.ATTEMPTED, time.nanoTime()));
        assertThat(deliverer.isIdle()).isTrue();
        assertThat(gate.status().eventsInFlight()).isZero();
        assertThat(deliverer.inFlight()).isZero();
    }

    @Test
    void wakesForTheFirstAnswerAndForTheLast() {
        destination.delayAnswers();
        start(Sendings.of(1, "a"), Sendings.of(2, "b"), Sendings.of(3, "c"));
        assertThat(deliverer.inFlight()).isEqualTo(3);

        destination.releaseOne();
        assertThat(woken).hasValue(1);
        destination.releaseOne();
        assertThat(woken).as("once is enough, however many answers come").hasValue(1);
        assertThat(deliverer.inFlight()).isEqualTo(1);
        destination.releaseOne();

        assertThat(woken).as("no loop need wait for more any longer").hasValue(2);
    }

    @Test
    void tellsTheDestinationTheNumberOfTheAttempt() {
        start(Sendings.of(1, "a"));

        assertThat(destination.deliveries()).extracting(Delivery::attempt).containsExactly(1);
        assertThat(destination.eventIds()).containsExactly("event-1");
    }

    @Test
    void waitsForAnswers() {
        destination.delayAnswers();
        start(Sendings.of(1, "a"), Sendings.of(2, "b"));

        assertThat(deliverer.takeResults()).isEmpty();
        assertThat(deliverer.isIdle()).isFalse();
        assertThat(deliverer.hasResults()).isFalse();
        assertThat(gate.status().eventsInFlight()).isEqualTo(2);
        destination.releaseOne();
        assertThat(deliverer.hasResults()).isTrue();
        assertThat(deliverer.isIdle()).isFalse();
        assertThat(deliverer.takeResults()).hasSize(1);
        assertThat(deliverer.isIdle()).isFalse();
        destination.releaseAll();
        assertThat(deliverer.takeResults()).hasSize(1);
        assertThat(deliverer.isIdle()).isTrue();
    }

    @Test
    void answersForADestinationThatDoesNotAnswerInTime() {
        destination.delayAnswers();
        start(Sendings.of(1, "a"), Sendings.of(2, "b"));
        destination.releaseOne();
        assertThat(deliverer.nextDeadline()).isEqualTo(DEADLINE);
        time.advance(DEADLINE.minusNanos(1));
        assertThat(deliverer.takeResults()).extracting(Sendings::seqOf).containsExactly(1L);
        assertThat(deliverer.nextDeadline()).isEqualTo(Duration.ofNanos(1));
        time.advance(Duration.ofNanos(1));
        assertThat(deliverer.nextDeadline()).isZero();

        List<DeliveryResult> late = deliverer.takeResults();

        assertThat(late).extracting(Sendings::seqOf).containsExactly(2L);
        assertThat(late.get(0).outcome())
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        refusal -> assertThat(refusal.error()).contains("deadline"));
        assertThat(gate.status().eventsInFlight()).isZero();
        assertThat(deliverer.isIdle()).isTrue();
        assertThat(deliverer.nextDeadline()).isGreaterThan(Duration.ofMinutes(1));
    }

    @Test
    void doesNotHearAnAnswerAfterTheDeadline() {
        destination.delayAnswers();
        start(Sendings.of(1, "a"));
        time.advance(DEADLINE);
        deliverer.takeResults();

        destination.releaseAll();

        assertThat(deliverer.takeResults()).isEmpty();
        assertThat(gate.status().eventsInFlight()).isZero();
    }

    @Test
    void hearsOnlyTheFirstOfTwoAnswers() {
        Destination twice = destination((deliveries, receipt) -> {
            receipt.report(0, DELIVERED);
            receipt.report(0, REFUSED);
        });
        DestinationGate itsGate = gate(twice);

        start(itsGate, Sendings.of(1, "a"));

        assertThat(deliverer.takeResults()).extracting(DeliveryResult::outcome).containsExactly(DELIVERED);
        assertThat(itsGate.status().eventsInFlight()).isZero();
    }

    @Test
    void makesAnAnswerOfWhateverADestinationThrows() {
        for (Throwable thrown : List.of(new IllegalStateException("broken"), new StackOverflowError())) {
            DestinationGate itsGate = gate(destination((deliveries, receipt) -> {
                receipt.report(0, DELIVERED);
                throwIt(thrown);
            }));

            start(itsGate, Sendings.of(1, "a"), Sendings.of(2, "b"));

            List<DeliveryResult> completions = deliverer.takeResults();
            assertThat(completions).extracting(Sendings::seqOf).containsExactly(1L, 2L);
            assertThat(completions.get(0).outcome()).isEqualTo(DELIVERED);
            assertThat(completions.get(1).outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Retryable.class,
                            refusal -> assertThat(refusal.error())
                                    .contains(thrown.getClass().getSimpleName()));
            assertThat(deliverer.isIdle()).isTrue();
            assertThat(itsGate.status().eventsInFlight()).isZero();
        }
    }

    @Test
    void blamesNoEventForADestinationThatHasLostItsThreadsOrClasses() {
        for (Throwable thrown : List.of(new RejectedExecutionException("shut down"), new NoClassDefFoundError("X"))) {
            DestinationGate itsGate = gate(destination((deliveries, receipt) -> throwIt(thrown)));

            start(itsGate, Sendings.of(1, "a"), Sendings.of(2, "b"));

            assertThat(deliverer.takeResults()).hasSize(2).allMatch(completion -> !completion.isAttempted());
            assertThat(itsGate.status().breaker()).isEqualTo(State.OPEN);
        }
    }

    @Test
    void wakesAnewForAnswersThatComeAfterALook() {
        destination.delayAnswers();
        start(Sendings.of(1, "a"), Sendings.of(2, "b"), Sendings.of(3, "c"));
        destination.releaseOne();
        destination.releaseOne();
        assertThat(woken).hasValue(1);
        assertThat(deliverer.takeResults()).hasSize(2);

        destination.releaseOne();

        assertThat(woken).hasValue(2);
        assertThat(deliverer.takeResults()).hasSize(1);
    }

    @Test
    void rejectsARowThatCannotBeRead() {
        start(Sendings.of(Rows.unreadable(1, "a")), Sendings.of(2, "b"));

        List<DeliveryResult> completions = deliverer.takeResults();
        assertThat(completions).extracting(Sendings::seqOf).containsExactly(1L, 2L);
        assertThat(completions.get(0).outcome())
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("cannot be delivered as it is stored"));
        assertThat(completions.get(1).outcome()).isEqualTo(DELIVERED);
        assertThat(destination.eventIds()).containsExactly("event-2");
        assertThat(gate.status().eventsInFlight()).isZero();
    }

    @Test
    void callsNobodyWhenNoRowCanBeRead() {
        start(Sendings.of(Rows.unreadable(1, "a")));

        assertThat(destination.calls()).isEmpty();
        assertThat(deliverer.takeResults()).hasSize(1);
        assertThat(deliverer.isIdle()).isTrue();
    }

    @Test
    void countsTheKeyOfAnUnreadableRowOnce() {
        destination.delayAnswers();
        start(Sendings.of(Rows.unreadable(1, "a")), Sendings.of(2, "a"));
        destination.releaseAll();
        destination.delayAnswers();
        // As many keys as may be in flight.
        start(Sendings.of(3, "a"), Sendings.of(4, "b"), Sendings.of(5, "c"), Sendings.of(6, "d"));

        assertThat(gate.reserve(() -> {}).isNone()).isTrue();
    }

    @Test
    void learnsNothingOfTheDestinationFromARowThatCannotBeRead() {
        gate.unavailable("down", null, true);
        time.advance(Duration.ofSeconds(1));
        DestinationGate.Permit trial = gate.reserve(() -> {});
        assertThat(trial.probe()).isTrue();
        gate.release(trial, 1, 1, 100);

        deliverer.start(gate, List.of(Sendings.of(Rows.unreadable(1, "a"))), true);

        assertThat(gate.status().breaker()).isEqualTo(State.HALF_OPEN);
        assertThat(gate.reserve(() -> {}).probe()).isTrue();
    }

    @Test
    void countsATrialThatWasAnsweredWhateverTheAnswer() {
        for (Outcome answer : List.of(DELIVERED, REFUSED, new Outcome.Rejected("never"))) {
            destination.answer(delivery -> answer);
            deliverer.start(gate, reserved(Sendings.of(1, "a")), true);
        }

        assertThat(deliverer.takeResults())
                .extracting(DeliveryResult::isAttempted)
                .containsExactly(true, true, true);
    }

    @Test
    void countsNoAttemptWhenATrialIsNotAnswered() {
        Sendings.Sent event = Sendings.of(1, "a");
        Outcome silence = Outcome.Retryable.unanswered("silence");
        destination.answer(delivery -> silence);

        deliverer.start(gate, reserved(event), true);

        assertThat(deliverer.takeResults())
                .containsExactly(new DeliveryResult(event, "there", silence, Consequence.RETURNED, time.nanoTime()));
    }

    @Test
    void staysOpenToOthersHoweverManyEventsFail() {
        destination.answer(delivery -> REFUSED);
        start(Sendings.of(1, "a"), Sendings.of(2, "b"), Sendings.of(3, "c"));

        assertThat(gate.status().breaker()).isEqualTo(State.CLOSED);
        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.UP);
        assertThat(gate.status().lastError()).isEqualTo("refused");
    }

    @Test
    void learnsFromAnEventThatFailsThatTheDestinationIsBack() {
        gate.unavailable("down", null, true);
        time.advance(Duration.ofSeconds(1));
        DestinationGate.Permit trial = gate.reserve(() -> {});
        gate.release(trial, 1, 1, Sendings.of(1, "a").bytes());
        destination.answer(delivery -> REFUSED);

        deliverer.start(gate, List.of(Sendings.of(1, "a")), true);

        assertThat(gate.status().breaker()).isEqualTo(State.CLOSED);
        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.UP);
    }

    @Test
    void leavesADestinationAloneAfterCallsInARowWithoutAnAnswerAlthoughOthersArrive() {
        destination.answer(delivery ->
                delivery.event().eventId().equals("event-1") ? DELIVERED : Outcome.Retryable.unanswered("silence"));
        start(Sendings.of(1, "a"), Sendings.of(2, "b"), Sendings.of(3, "c"), Sendings.of(4, "d"));
        assertThat(gate.status().breaker()).as("one call").isEqualTo(State.CLOSED);

        start(Sendings.of(5, "b"));

        assertThat(gate.status().breaker()).isEqualTo(State.OPEN);
        assertThat(deliverer.takeResults())
                .extracting(DeliveryResult::isAttempted)
                .containsOnly(true);
    }

    @Test
    void learnsNothingOfTheDestinationFromARejectedEvent() {
        gate.unavailable("down", null, true);
        time.advance(Duration.ofSeconds(1));
        DestinationGate.Permit trial = gate.reserve(() -> {});
        gate.release(trial, 1, 1, Sendings.of(1, "a").bytes());
        destination.answer(delivery -> new Outcome.Rejected("refused before anything was sent"));

        deliverer.start(gate, List.of(Sendings.of(1, "a")), true);

        assertThat(gate.status().breaker()).isEqualTo(State.HALF_OPEN);
        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.DOWN);
        assertThat(gate.reserve(() -> {}).probe())
                .as("the next event tries at once")
                .isTrue();
    }

    /** A transport may know of the address from before, while the destination is down. */
    @Test
    void learnsNothingOfTheDestinationFromAnAddressThatIsUnavailable() {
        gate.unavailable("down", null, true);
        time.advance(Duration.ofSeconds(1));
        DestinationGate.Permit trial = gate.reserve(() -> {});
        gate.release(trial, 1, 1, Sendings.of(1, "a").bytes());
        destination.answer(delivery -> new Outcome.Unavailable("missing", Outcome.Unavailable.Scope.ADDRESS));

        deliverer.start(gate, List.of(Sendings.of(1, "a")), true);

        assertThat(gate.status().breaker()).isEqualTo(State.HALF_OPEN);
        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.DOWN);
        assertThat(gate.reserve(() -> {}).probe())
                .as("the next event tries at once")
                .isTrue();
    }

    @Test
    void losesNoEventWhenADestinationFailsToSayWhereItGoes() {
        Destination broken = new Destination() {
            @Override
            public void deliver(List<Delivery> deliveries, Receipt receipt) {
                for (int n = 0; n < deliveries.size(); n++) {
                    receipt.report(n, DELIVERED);
                }
            }

            @Override
            public String addressOf(Delivery delivery) {
                if (delivery.event().eventId().equals("event-2")) {
                    throw new IllegalStateException("broken");
                }
                return "topic";
            }

            @Override
            public DestinationTraits traits() {
                return TRAITS;
            }

            @Override
            public void close() {}
        };
        DestinationGate itsGate = gate(broken);
        itsGate.addresses().failed("another topic", "missing", null); // Only then is it asked.

        start(itsGate, Sendings.of(1, "a"), Sendings.of(2, "b"), Sendings.of(3, "c"));

        assertThat(deliverer.takeResults())
                .extracting(DeliveryResult::outcome)
                .containsExactlyInAnyOrder(
                        DELIVERED, DELIVERED, new Outcome.Retryable("java.lang.IllegalStateException: broken", null));
        assertThat(deliverer.isIdle()).isTrue();
        assertThat(itsGate.status().eventsInFlight()).isZero();
    }

    @Test
    void losesNoAnswerForAnEventThatHasNoAddress() {
        Destination picky = new Destination() {
            @Override
            public void deliver(List<Delivery> deliveries, Receipt receipt) {
                receipt.report(0, new Outcome.Unavailable("no such topic", Outcome.Unavailable.Scope.ADDRESS));
                receipt.report(1, new Outcome.Rejected("it has no header tenant"));
                receipt.report(2, DELIVERED);
            }

            @Override
            public String addressOf(Delivery delivery) {
                if (delivery.event().eventId().equals("event-2")) {
                    throw new IllegalArgumentException("it has no header tenant");
                }
                return "topic of " + delivery.event().eventId();
            }

            @Override
            public DestinationTraits traits() {
                return TRAITS;
            }

            @Override
            public void close() {}
        };
        DestinationGate itsGate = gate(picky);

        start(itsGate, Sendings.of(1, "a"), Sendings.of(2, "b"), Sendings.of(3, "c"));

        assertThat(deliverer.takeResults())
                .extracting(DeliveryResult::consequence)
                .containsExactly(
                        new Consequence.AwaitsAddress("topic of event-1"),
                        Consequence.ATTEMPTED,
                        Consequence.ATTEMPTED);
        assertThat(deliverer.isIdle()).isTrue();
        assertThat(itsGate.status().eventsInFlight()).isZero();
    }

    @Test
    void abandonsWhatIsUnderWay() {
        destination.delayAnswers();
        start(Sendings.of(1, "a"), Sendings.of(2, "b"), Sendings.of(3, "c"));
        destination.releaseOne();

        assertThat(deliverer.abandon()).isEqualTo(2);

        assertThat(deliverer.isIdle()).isTrue();
        assertThat(gate.status().eventsInFlight()).isZero();
        destination.releaseAll();
        assertThat(deliverer.takeResults()).isEmpty();
        assertThat(deliverer.abandon()).isZero();
    }

    @Test
    void letsAnotherTryWhenATrialIsAbandoned() {
        gate.unavailable("down", null, true);
        time.advance(Duration.ofSeconds(1));
        DestinationGate.Permit trial = gate.reserve(() -> {});
        gate.release(trial, 1, 1, Sendings.of(1, "a").bytes());
        destination.delayAnswers();
        deliverer.start(gate, List.of(Sendings.of(1, "a")), true);
        assertThat(gate.reserve(() -> {}).isNone()).isTrue();

        deliverer.abandon();

        assertThat(gate.reserve(() -> {}).probe()).isTrue();
    }

    @Test
    void holdsAKeyUntilTheLastOfItsEventsIsReported() {
        List<Destination.Receipt> receipts = new ArrayList<>();
        DestinationGate itsGate = new DestinationGate(
                "there",
                destination((deliveries, receipt) -> receipts.add(receipt), TRAITS.withKeysInFlightMax(1)),
                DestinationConfig.defaults(),
                time,
                event -> {});
        start(itsGate, Sendings.of(1, "a"), Sendings.of(2, "a"));

        receipts.get(0).report(1, DELIVERED);
        assertThat(itsGate.reserve(() -> {}).isNone()).isTrue();
        receipts.get(0).report(0, DELIVERED);
        assertThat(itsGate.reserve(() -> {}).isNone()).isFalse();
    }

    private void start(Sendings.Sent... events) {
        start(gate, events);
    }

    private void start(DestinationGate into, Sendings.Sent... events) {
        assertThat(Sendings.reserve(into, List.of(events)).isNone()).isFalse();
        deliverer.start(into, List.of(events), false);
    }

    private List<Sendings.Sent> reserved(Sendings.Sent event) {
        Sendings.reserve(gate, List.of(event));
        return List.of(event);
    }

    private DestinationGate gate(Destination to) {
        return new DestinationGate(
                "there",
                to,
                DestinationConfig.defaults()
                        .withDeadline(DEADLINE)
                        .withBreaker(2, Duration.ofSeconds(1), Duration.ofSeconds(4)),
                time,
                event -> {});
    }

    private interface Attempt {
        void deliver(List<Delivery> deliveries, Destination.Receipt receipt);
    }

    private static Destination destination(Attempt attempt) {
        return destination(attempt, TRAITS);
    }

    private static Destination destination(Attempt attempt, DestinationTraits traits) {
        return new Destination() {
            @Override
            public DestinationTraits traits() {
                return traits;
            }

            @Override
            public void deliver(List<Delivery> deliveries, Receipt receipt) {
                attempt.deliver(deliveries, receipt);
            }

            @Override
            public void close() {}
        };
    }

    private static void throwIt(Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        throw new AssertionError(thrown);
    }
}
