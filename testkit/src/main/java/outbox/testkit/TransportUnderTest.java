package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.TimeSource;
import outbox.testkit.TransportFixture.Received;

/** A fixture and what the chapters of the contract do with it. */
public record TransportUnderTest(TransportFixture fixture) implements AutoCloseable {

    static final String TYPE = "OrderPlaced";

    @Override
    public void close() {
        fixture.close();
    }

    public Destination destination() {
        return fixture.destination();
    }

    // ---- events ----------------------------------------------------------------------------------------------------

    static EventEnvelope.Builder sample(String eventId) {
        return EventEnvelope.builder(TYPE).eventId(eventId).payloadJson("{\"id\":\"" + eventId + "\"}");
    }

    public static EventEnvelope ofKey(@Nullable String key) {
        return sample(Ulids.SYSTEM.next()).orderingKey(key).build();
    }

    static List<EventEnvelope> ofKey(String key, int count) {
        return IntStream.range(0, count).mapToObj(n -> ofKey(key)).toList();
    }

    /** This number of events of each key, the keys alternating. */
    public static List<EventEnvelope> ofKeys(int keys, int ofEach) {
        return IntStream.range(0, keys * ofEach)
                .mapToObj(n -> ofKey("key-" + n % keys))
                .toList();
    }

    static List<Delivery> attempt(int attempt, List<EventEnvelope> events) {
        return events.stream().map(event -> new Delivery(event, attempt)).toList();
    }

    // ---- delivering ------------------------------------------------------------------------------------------------

    /** One event of a key at a time, whatever the traits allow. */
    TransportDrive oneByOne(List<Delivery> deliveries) {
        return drive(destination(), destination().traits().withEventsPerKeyMax(1), deliveries);
    }

    /** As many of a key at a time as the traits allow. */
    TransportDrive asAllowed(List<Delivery> deliveries) {
        return drive(destination(), destination().traits(), deliveries);
    }

    static TransportDrive drive(Destination destination, DestinationTraits traits, List<Delivery> deliveries) {
        return new TransportDrive(destination, traits, deliveries);
    }

    /** Delivers what has to be delivered. */
    void deliverAll(List<EventEnvelope> events) {
        Map<String, Outcome> outcomes =
                asAllowed(attempt(1, events)).run(fixture.patience()).outcomes();
        assertThat(outcomes).hasSize(events.size());
        assertThat(outcomes.values()).allSatisfy(TransportUnderTest::isDelivered);
    }

    /** Makes new attempts, as a relay does, until everything is delivered or patience ends. */
    void deliverInTheEnd(List<EventEnvelope> events) {
        List<EventEnvelope> left = new ArrayList<>(events);
        List<Outcome> last = new ArrayList<>();
        long start = TimeSource.SYSTEM.nanoTime();
        for (int attempt = 2; !left.isEmpty(); attempt++) {
            Map<String, Outcome> outcomes =
                    oneByOne(attempt(attempt, left)).run(patienceWithFailure()).outcomes();
            left.removeIf(event -> outcomes.get(event.eventId()) instanceof Outcome.Delivered);
            last.addAll(outcomes.values());
            if (TimeSource.SYSTEM.nanoTime() - start
                    > fixture.patience().multipliedBy(2).toNanos()) {
                throw new AssertionError(left.size() + " events could not be delivered after " + attempt
                        + " attempts, at last: " + last.get(last.size() - 1));
            }
        }
    }

    /** How long outcomes may take when the server may be down; some more, for a busy machine. */
    public Duration patienceWithFailure() {
        return fixture.answersWithin().plus(fixture.patience().dividedBy(10));
    }

    static void isDelivered(@Nullable Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    }

    /** The event was not delivered, and the destination does not say that it never can be. */
    static void mayGoLater(@Nullable Outcome outcome) {
        switch (Objects.requireNonNull(outcome, "no outcome")) {
            case Outcome.Retryable retryable -> assertThat(retryable.error()).isNotBlank();
            case Outcome.Unavailable unavailable ->
                assertThat(unavailable.error()).isNotBlank();
            case Outcome.Delivered delivered -> throw new AssertionError("was " + delivered);
            case Outcome.Rejected rejected -> throw new AssertionError("was " + rejected);
        }
    }

    /** The outcome blames so much of the destination, and says why. */
    static void isUnavailable(@Nullable Outcome outcome, Scope scope) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Unavailable.class, unavailable -> {
            assertThat(unavailable.scope()).as(unavailable.error()).isEqualTo(scope);
            assertThat(unavailable.error()).isNotBlank();
        });
    }

    /** The outcome costs no attempt, unless other events are delivered in the meantime. */
    static void isNoFaultOfTheEvent(@Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Retryable retryable) {
            assertThat(retryable.unanswered()).as(retryable.error()).isTrue();
        } else {
            assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        }
    }

    // ---- receiving -------------------------------------------------------------------------------------------------

    /** Ids of the events that arrived, in the order of first arrival. Waits until this number has arrived. */
    List<String> receivedIds(int atLeast) {
        int asked = atLeast;
        while (true) {
            List<Received> received = fixture.received(asked);
            Set<String> ids =
                    new LinkedHashSet<>(received.stream().map(Received::eventId).toList());
            if (ids.size() >= atLeast || received.size() < asked) {
                return List.copyOf(ids);
            }
            asked = received.size() + 1; // Some are duplicates.
        }
    }

    /** Checks that everything of these has arrived at least once, and for each key in this order. */
    public void haveArrivedInOrder(List<EventEnvelope> events) {
        Set<String> wanted = new LinkedHashSet<>(Events.ids(events));
        List<String> arrived =
                receivedIds(events.size()).stream().filter(wanted::contains).toList();
        assertThat(arrived).containsExactlyInAnyOrderElementsOf(wanted);
        Map<String, String> keys = new HashMap<>();
        events.forEach(event -> keys.put(event.eventId(), String.valueOf(event.orderingKey())));
        for (String key : Set.copyOf(keys.values())) {
            assertThat(arrived.stream().filter(id -> key.equals(keys.get(id))))
                    .as("events of " + key)
                    .containsExactlyElementsOf(wanted.stream()
                            .filter(id -> key.equals(keys.get(id)))
                            .toList());
        }
    }
}
