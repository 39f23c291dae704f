package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.EventType;
import outbox.NoTransactionException;
import outbox.OutboxClient;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.internal.operations.JdbcOperatorStore;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;

/** The acceptance tests of the outbox framework's specification, section 18, by their names, wired as its appendix A. */
abstract class OutboxAcceptance {

    enum UserEvents implements EventType {
        USER_CREATED
    }

    enum Aggregates implements AggregateType {
        USER
    }

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TestDatabase database;
    private final JdbcOutboxRepository repository = new JdbcOutboxRepository();
    private final ThreadLocalTxContext txContext = new ThreadLocalTxContext();
    private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
    private DataSourceConnectionProvider connections;
    private JdbcTransactionManager transactions;
    private OutboxDispatcher dispatcher;
    private OutboxPoller poller;
    private OutboxClient client;

    abstract TestDatabase openDatabase();

    @BeforeEach
    void install() {
        database = openDatabase();
        connections = database.connections();
        new SchemaInstaller(connections).install();
        transactions = new JdbcTransactionManager(connections, txContext);
    }

    @AfterEach
    void close() {
        if (poller != null) {
            poller.close();
        }
        if (dispatcher != null) {
            dispatcher.close();
        }
        if (database != null) {
            database.close();
        }
    }

    @Test
    void atomicity_18_1() throws Exception {
        startDispatcher(10, 1000);
        String eventId;
        try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
            eventId = client.publish(EventEnvelope.ofJson("UserCreated", "{\"id\":123}"));
            tx.rollback();
        }
        assertThat(new JdbcOperatorStore(connections, TableNames.DEFAULT, JdbcOperatorStore.ROWS_PER_STATEMENT)
                        .find(eventId))
                .isEmpty();
    }

    @Test
    void publishOutsideATransactionFailsAtOnce() {
        startDispatcher(10, 1000);
        assertThatThrownBy(() -> client.publish(EventEnvelope.ofJson("UserCreated", "{}")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("needs an active transaction");
    }

    @Test
    void commitAndFastPath_18_2() throws Exception {
        BlockingQueue<EventEnvelope> delivered = new LinkedBlockingQueue<>();
        registry.register("UserCreated", delivered::add);
        startDispatcher(10, 1000);

        EventEnvelope event = EventEnvelope.ofJson("UserCreated", "{\"id\":123}");
        publish(event);

        // No poller runs, so only the hot path can have brought it, and it is the very object that was published.
        assertThat(delivered.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isSameAs(event);
        awaitStatus(event.eventId(), EventStatus.DONE);
    }

    @Test
    void queueOverflowDowngrade_18_3() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        registry.register("UserCreated", event -> {
            blocked.countDown();
            release.await();
        });
        startDispatcher(10, 1);
        publish(EventEnvelope.ofJson("UserCreated", "{\"at\":\"the worker\"}"));
        assertThat(blocked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        publish(EventEnvelope.ofJson("UserCreated", "{\"at\":\"the queue\"}"));

        EventEnvelope dropped = EventEnvelope.ofJson("UserCreated", "{\"at\":\"the store\"}");
        publish(dropped);

        assertThat(find(dropped.eventId()).status()).isEqualTo(EventStatus.NEW);
        release.countDown();
        startPoller();
        awaitStatus(dropped.eventId(), EventStatus.DONE);
    }

    @Test
    void retryAndDead_18_4() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch secondMayFail = new CountDownLatch(1);
        registry.register("UserCreated", event -> {
            if (attempts.incrementAndGet() == 2) {
                secondMayFail.await();
            }
            throw new IllegalStateException("broker says no");
        });
        startDispatcher(3, 1000);
        startPoller();

        EventEnvelope event = EventEnvelope.ofJson("UserCreated", "{}");
        publish(event);

        awaitStatus(event.eventId(), EventStatus.RETRY);
        assertThat(find(event.eventId()).attempts()).isEqualTo(1);
        assertThat(find(event.eventId()).state().lastError()).contains("broker says no");
        secondMayFail.countDown();
        awaitStatus(event.eventId(), EventStatus.DEAD);
        assertThat(find(event.eventId()).attempts()).isEqualTo(3);
        assertThat(attempts).hasValue(3);
    }

    @Test
    void typeSafeEventType_18_5() throws Exception {
        BlockingQueue<EventEnvelope> delivered = new LinkedBlockingQueue<>();
        registry.register(UserEvents.USER_CREATED, delivered::add);
        startDispatcher(10, 1000);
        publish(EventEnvelope.builder(UserEvents.USER_CREATED).payloadJson("{}").build());
        EventEnvelope event = delivered.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.eventType()).isEqualTo("USER_CREATED");
    }

    @Test
    void typeSafeAggregateType_18_6() throws Exception {
        BlockingQueue<EventEnvelope> delivered = new LinkedBlockingQueue<>();
        registry.registerAll(delivered::add);
        startDispatcher(10, 1000);
        publish(EventEnvelope.builder(UserEvents.USER_CREATED)
                .aggregateType(Aggregates.USER)
                .aggregateId("user-123")
                .payloadJson("{}")
                .build());
        EventEnvelope event = delivered.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.aggregateType()).isEqualTo("USER");
        assertThat(find(event.eventId()).aggregateType()).isEqualTo("USER");
    }

    private void startDispatcher(int maxAttempts, int hotQueueCapacity) {
        dispatcher = new OutboxDispatcher(
                connections,
                repository,
                registry,
                new DefaultInFlightTracker(),
                new ExponentialBackoffRetryPolicy(1, 10),
                maxAttempts,
                1,
                hotQueueCapacity,
                1000,
                MetricsExporter.NOOP);
        client = new OutboxClient(txContext, repository, dispatcher, MetricsExporter.NOOP);
    }

    private void startPoller() {
        poller = new OutboxPoller(
                connections, repository, dispatcher, Duration.ofMillis(1), 200, 20, MetricsExporter.NOOP);
        poller.start();
    }

    private void publish(EventEnvelope event) throws Exception {
        transactions.run(connection -> client.publish(event));
    }

    private OutboxEvent find(String eventId) {
        return new JdbcOperatorStore(connections, TableNames.DEFAULT, JdbcOperatorStore.ROWS_PER_STATEMENT)
                .find(eventId)
                .orElseThrow();
    }

    private void awaitStatus(String eventId, EventStatus status) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (find(eventId).status() != status && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(find(eventId).status()).isEqualTo(status);
    }
}
