package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxClient;
import outbox.OutboxConfig;
import outbox.PermanentFailureException;
import outbox.RetryAfterException;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.retention.RetentionConfig;
import outbox.retention.RetentionPurger;
import outbox.spi.MetricsExporter;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.Selection;

/** The snippets of the documentation, compiled and run. */
class UsageTest {

    private final BlockingQueue<String> broker = new LinkedBlockingQueue<>();

    @Test
    void wiresAnOutbox() throws Exception {
        try (TestDatabase database = TestDatabase.h2()) {
            DataSource dataSource = database.dataSource();
            // tag::wiring[]
            DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
            new SchemaInstaller(connections).install(); // or apply the SQL that print() gives with your own tool

            ThreadLocalTxContext txContext = new ThreadLocalTxContext();
            JdbcTransactionManager transactions = new JdbcTransactionManager(connections, txContext);

            try (Outbox outbox = JdbcOutbox.builder(dataSource, txContext)
                    .config(new OutboxConfig().setDispatcherWorkers(8))
                    .on("OrderPlaced", event -> broker.add(event.eventId()))
                    .onAll(event -> System.out.println(event.eventType() + " " + event.eventId()))
                    .build()) {

                transactions.run(connection -> {
                    // ... the business statements, on this connection ...
                    outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{\"orderId\":1}"));
                });
            }
            // end::wiring[]
            assertThat(broker.poll(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void buildsEventsWithEveryChoice() {
        // tag::envelope[]
        EventEnvelope event = EventEnvelope.builder("PaymentDue")
                .aggregateType("Order")
                .aggregateId("order-42")
                .orderingKey("customer-7") // default: the aggregate id; null: no order
                .tenantId("acme")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .availableAt(Instant.now().plus(Duration.ofDays(3))) // delayed; default: at once
                .maxAttempts(3) // default: retryMaxAttempts
                .payloadJson("{\"amount\":12.50}")
                .build();
        // end::envelope[]
        assertThat(event.orderingKey()).isEqualTo("customer-7");
    }

    @Test
    void listenersSayWhatIsToHappenNext() {
        DefaultListenerRegistry registry = new DefaultListenerRegistry();
        // tag::listener[]
        registry.register("PaymentDue", event -> {
            int status = charge(event);
            if (status == 429) {
                throw new RetryAfterException(Duration.ofSeconds(30), "the bank asks for a pause");
            }
            if (status == 400) {
                throw new PermanentFailureException("the bank refuses " + event.eventId());
            }
        });
        // end::listener[]
        assertThat(registry.listenersFor("PaymentDue")).hasSize(1);
    }

    @Test
    void operatesTheOutbox() {
        try (TestDatabase database = TestDatabase.h2()) {
            DataSourceConnectionProvider connections = database.connections();
            new SchemaInstaller(connections).install();
            // tag::dead[]
            OperatorStore operator = new JdbcStores(connections).operations();
            EventFilter refused = EventFilter.ALL
                    .withState(EventFilter.State.DEAD)
                    .withEventType("PaymentDue")
                    .withError("*refuses*");
            EventPage firstPage = operator.events(new EventQuery(refused, null, 50));

            OperatorAction action = new OperatorAction("anna", "the bank works again");
            Selection one = new Selection.Ids(List.of("01M7F83HKB9ZRBFKHYEKF65VHV"));
            operator.replay(one, null, 1, action);
            Selection all = new Selection.Matching(refused); // or up to a thousand that match
            ChangedEvents replayed = operator.replay(all, null, 1_000, action);
            // end::dead[]
            assertThat(firstPage.events()).isEmpty();
            assertThat(replayed).isEqualTo(new ChangedEvents(List.of(), null));

            // tag::statistics[]
            OutboxStatistics statistics =
                    new JdbcStores(connections).statistics().statistics(1_000);
            System.out.println(statistics.pending() + " pending, the oldest for " + statistics.oldestPendingAge());
            // end::statistics[]
            assertThat(statistics.pending().counted()).isZero();

            // tag::retention[]
            RetentionConfig config = RetentionConfig.defaults() // 7 days, at 03:00 UTC
                    .withKeepDone(Duration.ofDays(30))
                    .withDailyAt(LocalTime.of(4, 30), ZoneId.of("Europe/Berlin"));
            RetentionPurger purger = new RetentionPurger(new JdbcStores(connections).retention(), config);
            purger.start();
            // end::retention[]
            purger.close();
        }
    }

    @Test
    void wiresEveryPartByHand() throws Exception {
        try (TestDatabase database = TestDatabase.h2()) {
            DataSourceConnectionProvider connections = database.connections();
            new SchemaInstaller(connections).install();
            // tag::by-hand[]
            JdbcOutboxRepository repository = new JdbcOutboxRepository();
            ThreadLocalTxContext txContext = new ThreadLocalTxContext();
            OutboxDispatcher dispatcher = new OutboxDispatcher(
                    connections,
                    repository,
                    new DefaultListenerRegistry().register("UserCreated", event -> broker.add(event.eventId())),
                    new DefaultInFlightTracker(),
                    new ExponentialBackoffRetryPolicy(200, 60_000),
                    10, // attempts
                    4, // workers
                    1_000, // hot queue
                    1_000, // cold queue
                    MetricsExporter.NOOP);
            OutboxPoller poller = new OutboxPoller(
                    connections, repository, dispatcher, Duration.ofSeconds(1), 200, 5_000, MetricsExporter.NOOP);
            poller.start();
            OutboxClient client = new OutboxClient(txContext, repository, dispatcher, MetricsExporter.NOOP);
            // end::by-hand[]
            try (dispatcher;
                    poller) {
                new JdbcTransactionManager(connections, txContext)
                        .run(connection -> client.publish(EventEnvelope.ofJson("UserCreated", "{}")));
                assertThat(broker.poll(30, TimeUnit.SECONDS)).isNotNull();
            }
        }
    }

    private static int charge(EventEnvelope event) {
        return event.payloadSize() > 0 ? 200 : 400;
    }
}
