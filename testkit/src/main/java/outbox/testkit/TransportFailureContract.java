package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;

/** When the other side refuses, stops or freezes, every attempt still has an outcome, soon, and a true one. */
interface TransportFailureContract extends TransportPart {

    /** How long a call to deliver may take; far more than "soon", for a busy machine. */
    Duration SOON = Duration.ofSeconds(2);

    @Test
    default void oneRefusedEventLeavesTheOthersAlone() {
        try (TransportUnderTest transport = open()) {
            EventEnvelope before = TransportUnderTest.ofKey("key-1");
            EventEnvelope refused = TransportUnderTest.ofKey("key-2");
            EventEnvelope after = TransportUnderTest.ofKey("key-3");

            Map<String, Outcome> outcomes = transport
                    .asAllowed(List.of(
                            new Delivery(before, 1), transport.fixture().refused(refused), new Delivery(after, 1)))
                    .run(transport.patienceWithFailure())
                    .outcomes();

            assertThat(outcomes.get(refused.eventId())).isNotInstanceOf(Outcome.Delivered.class);
            boolean oneCall = transport.destination().traits().keysPerCallMax() > 2;
            if (transport.fixture().callsAreAtomic() && oneCall) {
                assertThat(outcomes.values()).noneMatch(Outcome.Delivered.class::isInstance);
                transport.deliverInTheEnd(List.of(before, after));
            } else {
                TransportUnderTest.isDelivered(outcomes.get(before.eventId()));
                TransportUnderTest.isDelivered(outcomes.get(after.eventId()));
            }
            assertThat(transport.receivedIds(2)).containsExactlyInAnyOrder(before.eventId(), after.eventId());
        }
    }

    @Test
    default void nothingOvertakesARefusedEventOfItsKey() {
        try (TransportUnderTest transport = open()) {
            EventEnvelope first = TransportUnderTest.ofKey("key-1");
            EventEnvelope refused = TransportUnderTest.ofKey("key-1");
            EventEnvelope behind = TransportUnderTest.ofKey("key-1");

            Map<String, Outcome> outcomes = transport
                    .asAllowed(List.of(
                            new Delivery(first, 1), transport.fixture().refused(refused), new Delivery(behind, 1)))
                    .run(transport.patienceWithFailure())
                    .outcomes();

            assertThat(outcomes.get(refused.eventId())).isNotInstanceOf(Outcome.Delivered.class);
            assertThat(outcomes.get(behind.eventId()) instanceof Outcome.Delivered)
                    .isFalse();
            List<EventEnvelope> inOrder = List.of(first, refused, behind);
            List<EventEnvelope> left = new ArrayList<>(inOrder);
            left.removeIf(event -> outcomes.get(event.eventId()) instanceof Outcome.Delivered);
            transport.deliverInTheEnd(left); // To where it is not refused.
            transport.haveArrivedInOrder(inOrder);
        }
    }

    @Test
    default void survivesAServerThatIsStoppedInTheMiddle() {
        try (TransportUnderTest transport = open()) {
            List<EventEnvelope> events = TransportUnderTest.ofKeys(10, 200);

            Map<String, Outcome> outcomes = transport
                    .oneByOne(TransportUnderTest.attempt(1, events))
                    .interruptedAfter(20, transport.fixture()::stopBroker)
                    .run(transport.patienceWithFailure())
                    .outcomes();

            List<EventEnvelope> delivered = new ArrayList<>();
            List<EventEnvelope> left = new ArrayList<>(events);
            left.removeIf(event -> outcomes.get(event.eventId()) instanceof Outcome.Delivered && delivered.add(event));
            assertThat(left).as("what was left when the server stopped").isNotEmpty();
            outcomes.values().stream()
                    .filter(outcome -> !(outcome instanceof Outcome.Delivered))
                    .forEach(TransportUnderTest::mayGoLater);
            transport.fixture().startBroker();
            List<EventEnvelope> next = left.subList(0, Math.min(50, left.size()));
            transport.deliverInTheEnd(next);
            delivered.addAll(next);
            transport.haveArrivedInOrder(delivered);
        }
    }

    @Test
    default void doesNotDeliverToAServerThatIsDown() {
        try (TransportUnderTest transport = open()) {
            transport.fixture().stopBroker();
            List<EventEnvelope> events = TransportUnderTest.ofKeys(5, 1);

            TransportDrive drive =
                    transport.asAllowed(TransportUnderTest.attempt(1, events)).run(transport.patienceWithFailure());

            assertThat(drive.outcomes()).hasSize(5);
            drive.outcomes().values().forEach(TransportUnderTest::mayGoLater);
            assertThat(drive.longestCall()).isLessThan(SOON);
            transport.fixture().startBroker();
            transport.deliverInTheEnd(events);
            transport.haveArrivedInOrder(events);
        }
    }

    @Test
    default void answersInTimeWhileTheServerIsFrozen() {
        try (TransportUnderTest transport = open()) {
            EventEnvelope before = TransportUnderTest.ofKey("before");
            transport.deliverAll(List.of(before));
            transport.fixture().freezeBroker();
            List<EventEnvelope> events = TransportUnderTest.ofKeys(5, 1);

            TransportDrive drive =
                    transport.asAllowed(TransportUnderTest.attempt(1, events)).run(transport.patienceWithFailure());

            assertThat(drive.outcomes()).hasSize(5);
            drive.outcomes().values().forEach(TransportUnderTest::mayGoLater);
            assertThat(drive.longestCall()).isLessThan(SOON);
            transport.fixture().thawBroker();
            transport.deliverInTheEnd(events);
            transport.haveArrivedInOrder(events);
        }
    }

    @Test
    default void returnsSoonWhileItCannotConnect() {
        try (TransportUnderTest transport = open()) {
            transport.fixture().freezeBroker();
            EventEnvelope event = TransportUnderTest.ofKey("first of all");

            TransportDrive drive = transport
                    .asAllowed(TransportUnderTest.attempt(1, List.of(event)))
                    .run(transport.patienceWithFailure());

            assertThat(drive.longestCall()).isLessThan(SOON);
            TransportUnderTest.mayGoLater(drive.outcomes().get(event.eventId()));
            transport.fixture().thawBroker();
            transport.deliverInTheEnd(List.of(event));
        }
    }

    @Test
    default void refusedCredentialsMayBeRepairedAndAreNotShown() {
        try (TransportUnderTest transport = open();
                Destination refused = transport.fixture().withRefusedCredentials()) {
            EventEnvelope never = TransportUnderTest.ofKey("key-1");
            EventEnvelope welcome = TransportUnderTest.ofKey("key-1");

            Outcome outcome = TransportUnderTest.drive(refused, refused.traits(), List.of(new Delivery(never, 1)))
                    .run(transport.patienceWithFailure())
                    .outcomes()
                    .get(never.eventId());

            TransportUnderTest.mayGoLater(outcome);
            assertThat(String.valueOf(outcome)).doesNotContain(TransportFixture.WRONG_SECRET);
            assertThat(refused.toString()).doesNotContain(TransportFixture.WRONG_SECRET);
            transport.deliverAll(List.of(welcome));
            assertThat(transport.receivedIds(1)).containsExactly(welcome.eventId());
        }
    }

    @Test
    default void anOversizedEventStopsNoOtherEvent() {
        try (TransportUnderTest transport = open()) {
            EventEnvelope oversized = transport.fixture().oversized();
            EventEnvelope other = TransportUnderTest.ofKey("another key");

            Map<String, Outcome> outcomes = transport
                    .asAllowed(TransportUnderTest.attempt(1, List.of(oversized)))
                    .run(transport.patienceWithFailure())
                    .outcomes();
            transport.deliverAll(List.of(other));

            assertThat(outcomes.get(oversized.eventId()))
                    .isInstanceOf(transport.fixture().outcomeOfOversized());
            assertThat(transport.receivedIds(1)).containsExactly(other.eventId());
        }
    }
}
