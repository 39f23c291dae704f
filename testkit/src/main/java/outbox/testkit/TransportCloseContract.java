package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.TimeSource;

/** After a destination is closed nothing is open: no attempt, no thread. */
interface TransportCloseContract extends TransportPart {

    /** Threads that the JVM and the test's own machinery keep, whoever caused them. */
    List<String> COMMON_THREADS = List.of(
            "ForkJoinPool",
            "CompletableFutureDelayScheduler",
            "process reaper",
            "surefire",
            "junit",
            "Attach Listener");

    @Test
    default void closeReportsEverythingThatIsInFlight() {
        try (TransportUnderTest transport = open()) {
            transport.deliverAll(List.of(TransportUnderTest.ofKey("before")));
            transport.fixture().freezeBroker();
            Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
            List<EventEnvelope> events = TransportUnderTest.ofKeys(
                    Math.min(3, transport.destination().traits().keysInFlightMax()), 1);
            events.forEach(event -> deliver(transport.destination(), event, outcomes));

            long start = TimeSource.SYSTEM.nanoTime();
            transport.destination().close();
            transport.destination().close(); // Once more, and nothing happens.

            assertThat(TimeSource.SYSTEM.nanoTime() - start)
                    .isLessThan(transport.fixture().patience().toNanos());
            Await.until(
                    "everything is reported", transport.fixture().patience(), () -> outcomes.size() == events.size());
            outcomes.values().forEach(TransportUnderTest::mayGoLater);
            transport.fixture().thawBroker();
        }
    }

    @Test
    default void takesNothingOnceItIsClosed() {
        try (TransportUnderTest transport = open()) {
            transport.deliverAll(List.of(TransportUnderTest.ofKey("before")));
            Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
            EventEnvelope late = TransportUnderTest.ofKey("after");
            transport.destination().close();

            deliver(transport.destination(), late, outcomes);

            Await.until(
                    "the late one is reported",
                    transport.fixture().patience(),
                    () -> outcomes.containsKey(late.eventId()));
            TransportUnderTest.mayGoLater(outcomes.get(late.eventId()));
            assertThat(transport.receivedIds(1)).doesNotContain(late.eventId());
        }
    }

    @Test
    default void leavesNoThreadBehind() {
        try (TransportUnderTest transport = open()) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            transport.deliverAll(TransportUnderTest.ofKeys(3, 1));
            transport.fixture().freezeBroker();
            deliver(transport.destination(), TransportUnderTest.ofKey("busy"), new ConcurrentHashMap<>());
            Set<Thread> own = new HashSet<>(Thread.getAllStackTraces().keySet());
            own.removeAll(before);
            own.removeIf(thread -> isCommon(thread) || transport.fixture().isThreadOfBroker(thread));

            transport.destination().close();

            List<String> alive = new ArrayList<>();
            try {
                Await.until("threads have ended", transport.fixture().patience(), () -> {
                    own.removeIf(thread -> !thread.isAlive());
                    return own.isEmpty();
                });
            } catch (AssertionError e) {
                own.forEach(thread -> alive.add(thread.getName()));
            }
            assertThat(alive).as("threads that outlive the destination").isEmpty();
            transport.fixture().thawBroker();
        }
    }

    static boolean isCommon(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group == null
                || List.of("system", "InnocuousThreadGroup").contains(group.getName())
                || COMMON_THREADS.stream().anyMatch(thread.getName()::startsWith);
    }

    private static void deliver(Destination destination, EventEnvelope event, Map<String, Outcome> outcomes) {
        destination.deliver(
                List.of(new Delivery(event, 1)), (index, outcome) -> outcomes.putIfAbsent(event.eventId(), outcome));
    }
}
