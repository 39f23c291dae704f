package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;

/** A destination that cannot be reached or cannot work is named as such, and no event is blamed for it. */
public interface TransportUnavailableContract extends TransportPart {

    @Test
    default void aServerThatWasNeverThereIsUnavailable() {
        try (TransportUnderTest transport = open()) {
            transport.destination();
            transport.fixture().stopBroker();
            List<EventEnvelope> events = TransportUnderTest.ofKeys(5, 1);

            Map<String, Outcome> outcomes = transport
                    .asAllowed(TransportUnderTest.attempt(1, events))
                    .run(transport.patienceWithFailure())
                    .outcomes();

            assertThat(outcomes).hasSize(5);
            outcomes.values().forEach(each -> TransportUnderTest.isUnavailable(each, Scope.DESTINATION));
            transport.fixture().startBroker();
            transport.deliverInTheEnd(events);
        }
    }

    @Test
    default void aServerThatHasGoneIsNoFaultOfTheEvent() {
        try (TransportUnderTest transport = open()) {
            transport.deliverAll(List.of(TransportUnderTest.ofKey("before")));
            transport.fixture().stopBroker();
            List<EventEnvelope> events = TransportUnderTest.ofKeys(5, 1);

            // What was in flight when the connection broke may have arrived.
            transport
                    .asAllowed(TransportUnderTest.attempt(1, events))
                    .run(transport.patienceWithFailure())
                    .outcomes()
                    .values()
                    .forEach(TransportUnderTest::isNoFaultOfTheEvent);
            transport.fixture().startBroker();
            transport.deliverInTheEnd(events);
        }
    }

    @Test
    default void aServerThatDoesNotAnswerIsNoFaultOfTheEvent() {
        try (TransportUnderTest transport = open()) {
            transport.deliverAll(List.of(TransportUnderTest.ofKey("before")));
            transport.fixture().freezeBroker();
            List<EventEnvelope> events = TransportUnderTest.ofKeys(5, 1);

            transport
                    .asAllowed(TransportUnderTest.attempt(1, events))
                    .run(transport.patienceWithFailure())
                    .outcomes()
                    .values()
                    .forEach(TransportUnderTest::isNoFaultOfTheEvent);
            transport.fixture().thawBroker();
            transport.deliverInTheEnd(events);
        }
    }

    @Test
    default void aRefusedLoginIsAnOutage() {
        try (TransportUnderTest transport = open();
                Destination refused = transport.fixture().withRefusedCredentials()) {
            EventEnvelope event = TransportUnderTest.ofKey("key-1");

            Outcome outcome = TransportUnderTest.drive(refused, refused.traits(), List.of(new Delivery(event, 1)))
                    .run(transport.patienceWithFailure())
                    .outcomes()
                    .get(event.eventId());

            TransportUnderTest.isUnavailable(outcome, Scope.DESTINATION);
        }
    }

    @Test
    default void anEventBehindARefusedOneIsNotBlamed() {
        try (TransportUnderTest transport = open()) {
            EventEnvelope refused = TransportUnderTest.ofKey("key-1");
            EventEnvelope behind = TransportUnderTest.ofKey("key-1");
            if (transport.destination().traits().eventsPerKeyMax() == 1) {
                return; // Nothing of the key is in flight behind it.
            }

            Outcome outcome = transport
                    .asAllowed(List.of(transport.fixture().refused(refused), new Delivery(behind, 1)))
                    .run(transport.patienceWithFailure())
                    .outcomes()
                    .get(behind.eventId());

            TransportUnderTest.isUnavailable(outcome, Scope.CALL);
        }
    }

    // ---- the check -------------------------------------------------------------------------------------------------

    @Test
    default void aCheckSaysWhetherTheServerIsThere() {
        try (TransportUnderTest transport = open()) {
            Checkable checkable = checkable(transport.destination());
            checkable.check(transport.fixture().patience());
            transport.fixture().stopBroker();

            assertThatThrownBy(() -> checkable.check(Duration.ofSeconds(1))).isInstanceOf(OutboxException.class);
            transport.fixture().startBroker();

            Await.until("a check succeeds again", transport.fixture().patience(), () -> succeeds(checkable));
            transport.deliverAll(List.of(TransportUnderTest.ofKey("after")));
        }
    }

    /** An outage has a check every second or so, for as long as it lasts. */
    @Test
    default void checksLeaveNothingBehind() {
        try (TransportUnderTest transport = open()) {
            Checkable checkable = checkable(transport.destination());
            checkable.check(transport.fixture().patience());
            transport.fixture().stopBroker();
            succeeds(checkable);
            Set<Thread> before = Thread.getAllStackTraces().keySet();

            List<Boolean> answers = new ArrayList<>();
            for (int n = 0; n < 20; n++) {
                answers.add(succeeds(checkable));
            }

            assertThat(answers).doesNotContain(true);
            // A client's pool may have grown by a few; what each check leaves behind would be as many as checks.
            Await.until(
                    "the threads of checks have ended",
                    transport.fixture().patience(),
                    () -> threadsOfTheDestination(transport, before) < answers.size() / 2);
            transport.fixture().startBroker();
        }
    }

    // The server in this process starts threads as it likes.
    private static long threadsOfTheDestination(TransportUnderTest transport, Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread)
                        && !TransportCloseContract.isCommon(thread)
                        && !transport.fixture().isThreadOfBroker(thread))
                .count();
    }

    private static Checkable checkable(Destination destination) {
        assertThat(destination).isInstanceOf(Checkable.class);
        return (Checkable) Objects.requireNonNull(destination);
    }

    private static boolean succeeds(Checkable checkable) {
        try {
            checkable.check(Duration.ofMillis(500));
            return true;
        } catch (OutboxException e) {
            assertThat(e).hasMessageNotContaining(TransportFixture.WRONG_SECRET);
            return false;
        }
    }
}
