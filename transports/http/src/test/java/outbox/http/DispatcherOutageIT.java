package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.OutboxConfig;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.Delivery;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Outcome;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.DestinationListener;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.MetricsExporter;
import outbox.spi.TimeSource;
import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;

/** Checks an application's dispatcher in front of a real server that is stopped and started again. */
@Timeout(120)
class DispatcherOutageIT {

    /** With these settings, three attempts would take about a tenth of a second. */
    private static final OutboxConfig CONFIG =
            new OutboxConfig().setRetryMaxAttempts(3).setRetryBaseDelayMs(10).setRetryMaxDelayMs(50);

    /** Every worker fails once, followed by two probes. */
    private static final int FAILURES_OF_THE_OUTAGE = CONFIG.dispatcherWorkers() + 2;

    private static final Duration RECOVERY_MAX = Duration.ofSeconds(5);
    /** Time in which a slow machine delivers all of them once the first has arrived. */
    private static final Duration WORK_MAX = Duration.ofSeconds(60);

    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
    private final CountDownLatch failures = new CountDownLatch(FAILURES_OF_THE_OUTAGE);

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 500})
    void deliversEverythingSoonAfterTheServerIsBack(int pending) throws Exception {
        List<EventEnvelope> events;
        try (TestApi api = new TestApi();
                Destination destination = new Counting(Attempts.to(api), failures);
                OutboxDispatcher dispatcher = OutboxDispatcher.builder(store.claimStore(), store.settleStore())
                        .config(CONFIG)
                        .listeners(new DefaultListenerRegistry().registerAll(new DestinationListener(destination)))
                        .build();
                OutboxPoller poller = new OutboxPoller(
                        store.claimStore(), dispatcher, CONFIG, MetricsExporter.NOOP, TimeSource.SYSTEM)) {
            poller.start();
            api.stop();
            events = publish(dispatcher, pending);
            assertThat(failures.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(events)
                    .allSatisfy(event -> assertThat(row(event).status()).isIn(EventStatus.NEW, EventStatus.RETRY));

            api.start();

            assertThat(api.taken(all -> !all.isEmpty(), RECOVERY_MAX)).isNotEmpty();
            assertThat(api.taken(all -> all.size() >= pending, WORK_MAX)).hasSize(pending);
        }
        assertThat(events).allSatisfy(event -> {
            assertThat(row(event).status()).isEqualTo(EventStatus.DONE);
            assertThat(row(event).attempts()).isZero();
        });
    }

    private List<EventEnvelope> publish(OutboxDispatcher dispatcher, int count) {
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");
            events.add(event);
            try (StoreFixture.Session session = store.newSession()) {
                session.begin();
                new OutboxClient(session.store(), dispatcher).publish(event);
                session.commit();
            }
        }
        return events;
    }

    private OutboxEvent row(EventEnvelope event) {
        return store.operatorStore().find(event.eventId()).orElseThrow();
    }

    /** Counts how often the server could not be reached. */
    private record Counting(Destination destination, CountDownLatch failures) implements Destination {

        @Override
        public DestinationTraits traits() {
            return destination.traits();
        }

        @Override
        public void deliver(List<Delivery> deliveries, Receipt receipt) {
            destination.deliver(deliveries, (index, outcome) -> {
                receipt.report(index, outcome);
                if (outcome instanceof Outcome.Unavailable) {
                    failures.countDown();
                }
            });
        }

        @Override
        public void close() {
            destination.close();
        }
    }
}
