package outbox.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.PermanentFailureException;
import outbox.RetryAfterException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

@Timeout(60)
final class ListenerDestinationTest {

    private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
    private final ListenerDestination destination = new ListenerDestination(registry, 2);
    private final LinkedBlockingQueue<String> called = new LinkedBlockingQueue<>();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        destination.close();
    }

    @Test
    void callsTheListenersOfTheTypeAndThoseOfEveryType() throws Exception {
        registry.register("Paid", listener("first")).registerAll(listener("second"));

        deliver(event("Paid", "k", "1")).await();

        assertThat(called).containsExactly("first 1", "second 1");
        assertThat(outcomes.get("1")).isInstanceOf(Outcome.Delivered.class);
    }

    @Test
    void anExceptionFailsTheAttemptAndSaysHow() throws Exception {
        registry.register("Broken", throwing(new IllegalStateException("no disk")));
        registry.register("Later", throwing(new RetryAfterException(Duration.ofMinutes(5), "at night")));
        registry.register("Hopeless", throwing(new PermanentFailureException("no such order")));

        deliver(
                        event("Broken", "a", "1"),
                        event("Later", "b", "2"),
                        event("Hopeless", "c", "3"),
                        event("None", "d", "4"))
                .await();

        assertThat(outcomes.get("1"))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.error()).contains("no disk"));
        assertThat(outcomes.get("2"))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.after()).isEqualTo(Duration.ofMinutes(5)));
        assertThat(outcomes.get("3")).isInstanceOf(Outcome.Rejected.class);
        assertThat(outcomes.get("4"))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.error()).contains("no listener", "None"));
    }

    @Test
    void anUnavailableReceiverStopsOnlyEventsOfItsType() throws Exception {
        registry.register("Mailed", throwing(new DestinationUnavailableException("SMTP is down")));

        Delivery mailed = event("Mailed", "k", "1");
        deliver(mailed).await();

        assertThat(destination.addressOf(mailed)).isEqualTo("Mailed");
        assertThat(outcomes.get("1"))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.scope()).isEqualTo(Scope.ADDRESS));
    }

    @Test
    void anEventThatFailsStopsThoseBehindItAndCostsThemNoAttempt() throws Exception {
        registry.register("Paid", listener("shop")).register("Broken", throwing(new IllegalStateException("no disk")));

        deliver(
                        event("Paid", "k", "1"),
                        event("Broken", "k", "2"),
                        event("Paid", "k", "3"),
                        event("Paid", "other", "4"))
                .await();

        assertThat(called).containsExactlyInAnyOrder("shop 1", "shop 4");
        assertThat(outcomes.get("2")).isInstanceOf(Outcome.Retryable.class);
        assertThat(outcomes.get("3"))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.scope()).isEqualTo(Scope.CALL));
    }

    @Test
    void aListenerThatOutlastsTheDeadlineKeepsItsKeyWaiting() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch returns = new CountDownLatch(1);
        registry.register("Slow", event -> {
            running.countDown();
            returns.await();
            called.add("slow");
        });
        registry.register("Paid", listener("shop"));
        deliver(event("Slow", "k", "1"));
        running.await();

        CountDownLatch again = deliver(event("Paid", "k", "2"));
        deliver(event("Paid", "other", "3")).await(); // A second thread is free, and takes only what it may.

        assertThat(called).containsExactly("shop 3");
        returns.countDown();
        again.await();
        assertThat(called).containsExactly("shop 3", "slow", "shop 2");
    }

    @Test
    void callsThatTheRelayHasGivenUpAreNotMadeWhenTheListenerReturns() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch returns = new CountDownLatch(1);
        registry.register("Slow", event -> {
            running.countDown();
            returns.await();
        });
        registry.register("Paid", listener("shop"));
        CountDownLatch first = deliver(event("Slow", "k", "1"), event("Paid", "k", "2"));
        running.await();
        CountDownLatch second = deliver(event("Paid", "k", "3"));
        CountDownLatch third = deliver(event("Paid", "k", "4"));

        returns.countDown();

        first.await();
        second.await();
        third.await();
        assertThat(called).containsExactly("shop 4");
        assertThat(outcomes.get("3")).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void anInterruptThatAListenerLeavesBehindDoesNotReachTheNextEvent() throws Exception {
        registry.register("Broken", event -> Thread.currentThread().interrupt());
        registry.register("Paid", event -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
        });

        deliver(event("Broken", "k", "1"), event("Paid", "k", "2")).await();

        assertThat(outcomes.get("2")).isInstanceOf(Outcome.Delivered.class);
    }

    @Test
    void differentKeysAndEventsWithoutKeyRunAtTheSameTime() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        registry.registerAll(event -> both.await());

        CountDownLatch ofKeys = deliver(event("Paid", "a", "1"), event("Paid", "b", "2"));
        ofKeys.await();
        CountDownLatch first = deliver(event("Paid", null, "3"));
        deliver(event("Paid", null, "4")).await();
        first.await();

        assertThat(outcomes.values()).hasSize(4).hasOnlyElementsOfType(Outcome.Delivered.class);
    }

    @Test
    void closingInterruptsListenersAndReportsEverythingThatWaited() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        registry.registerAll(event -> {
            running.countDown();
            new CountDownLatch(1).await();
        });
        CountDownLatch first = deliver(event("Paid", "k", "1"));
        CountDownLatch second = deliver(event("Paid", "k", "2"));
        running.await();

        destination.close();

        first.await();
        second.await();
        CountDownLatch late = deliver(event("Paid", "k", "3"));
        late.await();
        assertThat(outcomes.values())
                .hasSize(3)
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));
    }

    @Test
    void aReceiptThatThrowsDoesNotStopTheKey() throws Exception {
        registry.registerAll(listener("shop"));
        destination.deliver(List.of(event("Paid", "k", "1")), (index, outcome) -> {
            throw new IllegalStateException("the receipt failed");
        });

        assertThat(called.poll(30, TimeUnit.SECONDS)).isEqualTo("shop 1");

        deliver(event("Paid", "k", "2")).await();

        assertThat(called).containsExactly("shop 2");
    }

    @Test
    void refusesANumberOfWorkersThatIsOutOfRange() {
        assertThatThrownBy(() -> new ListenerDestination(registry, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("workers must be from 1 to 1000, was 0");
    }

    private EventListener listener(String name) {
        return event -> called.add(name + " " + event.eventId());
    }

    private static EventListener throwing(Exception thrown) {
        return event -> {
            throw thrown;
        };
    }

    private static Delivery event(String type, String key, String id) {
        EventEnvelope.Builder event = EventEnvelope.builder(type).eventId(id).payloadJson("{}");
        return new Delivery((key == null ? event : event.orderingKey(key)).build(), 1);
    }

    private CountDownLatch deliver(Delivery... deliveries) {
        CountDownLatch open = new CountDownLatch(deliveries.length);
        destination.deliver(List.of(deliveries), (index, outcome) -> {
            outcomes.put(deliveries[index].event().eventId(), outcome);
            open.countDown();
        });
        return open;
    }
}
