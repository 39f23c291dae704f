package catbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.observe.RelayEvent;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.testkit.Await;
import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;
import outbox.testkit.TransportPart;
import outbox.testkit.TransportUnderTest;

/** A real relay in front of the transport: an outage costs no event anything, however long it lasts. */
public interface TransportOutageContract extends TransportPart {

    /** Between two attempts, if the events were blamed. Then they would be dead long before the outage ends. */
    Duration RETRY_DELAY = Duration.ofMillis(100);

    int ATTEMPTS = 40;

    Duration PROMPT = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 500})
    default void anOutageOfAnyLengthCostsNoAttempt(int pending) {
        try (TransportUnderTest transport = open();
                Outage outage = new Outage(transport)) {
            List<EventEnvelope> all = new ArrayList<>(List.of(TransportUnderTest.ofKey("before")));
            outage.publish(all);
            outage.awaitDelivered(1, transport.fixture().patience());
            transport.fixture().stopBroker();
            List<EventEnvelope> events = TransportUnderTest.ofKeys(Math.min(pending, 50), Math.ceilDiv(pending, 50));
            outage.publish(events);
            all.addAll(events);
            // What was on its way when the connection broke has been answered by then.
            outage.lasts(transport.patienceWithFailure().plus(RETRY_DELAY.multipliedBy(ATTEMPTS)));

            assertThat(outage.deliveredCount()).isEqualTo(1);
            transport.fixture().startBroker();

            outage.awaitDelivered(2, PROMPT);
            outage.awaitDelivered(1 + pending, transport.fixture().patience());
            outage.awaitDone();
            assertThat(outage.attempts()).as("attempts").containsOnly(0);
            transport.haveArrivedInOrder(all);
        }
    }

    /** A relay on a store in memory that delivers everything to the transport. */
    final class Outage implements AutoCloseable {

        private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
        private final Set<String> died = ConcurrentHashMap.newKeySet();
        private final LongAdder delivered = new LongAdder();
        private final Relay relay;
        private int published;

        Outage(TransportUnderTest transport) {
            RelayConfig config = RelayConfig.of("node-1")
                    .withSettle(SettleConfig.defaults().withRetryPolicy(failures -> RETRY_DELAY.toMillis()));
            this.relay = Relay.on(new RelayStores(store.relayStore(), store.clusterStore(), store.claimStore()), config)
                    .destination("there", transport.destination())
                    .listener(this::note)
                    .build()
                    .start();
        }

        private void note(RelayEvent event) {
            if (event instanceof RelayEvent.Died dead) {
                died.add(dead.eventId());
            } else if (event instanceof RelayEvent.Delivered) {
                delivered.increment();
            }
        }

        void publish(List<EventEnvelope> events) {
            try (StoreFixture.Session session = store.newSession()) {
                session.begin();
                OutboxClient.storeOnly(session.store()).publishAll(events);
                session.commit();
            }
            published += events.size();
        }

        /** Lets time pass, as nothing tells that an outage has been long enough. */
        void lasts(Duration duration) {
            long start = TimeSource.SYSTEM.nanoTime();
            Await.until("the outage was long enough", duration.multipliedBy(2), () -> {
                assertThat(died).as("dead events").isEmpty();
                return TimeSource.SYSTEM.nanoTime() - start > duration.toNanos();
            });
        }

        long deliveredCount() {
            return delivered.sum();
        }

        void awaitDelivered(long count, Duration atMost) {
            Await.until(count + " events are delivered", atMost, () -> deliveredCount() >= count);
        }

        void awaitDone() {
            Await.until(
                    "all events are done",
                    () -> store.events().size() == published
                            && store.events().stream().allMatch(event -> event.status() == EventStatus.DONE));
        }

        Set<Integer> attempts() {
            return store.events().stream().map(OutboxEvent::attempts).collect(Collectors.toSet());
        }

        @Override
        public void close() {
            relay.close();
        }
    }
}
