package outbox.specification;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.EventType;
import outbox.OutboxClient;
import outbox.OutboxConfig;
import outbox.StringAggregateType;
import outbox.StringEventType;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.InFlightTracker;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.dispatch.RetryPolicy;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;
import outbox.spi.TxContext;
import outbox.util.JsonCodec;

/**
 * The Java API of the outbox framework's specification: every signature and default that it names, and its quick start,
 * which this package compiles as an application does. A change that breaks one of them breaks applications.
 */
class SeedContractTest {

    @Test
    void runsTheQuickStart() throws Exception {
        try (HikariDataSource dataSource = new HikariDataSource()) {
            dataSource.setJdbcUrl("jdbc:h2:mem:quick-start");
            new SchemaInstaller(new DataSourceConnectionProvider(dataSource)).install();
            runQuickStart(dataSource);
        }
    }

    private static void runQuickStart(DataSource dataSource) throws Exception {
        CompletableFuture<String> received = new CompletableFuture<>();
        CompletableFuture<String> audited = new CompletableFuture<>();

        JdbcOutboxRepository repository = new JdbcOutboxRepository();
        DataSourceConnectionProvider connectionProvider = new DataSourceConnectionProvider(dataSource);
        ThreadLocalTxContext txContext = new ThreadLocalTxContext();
        OutboxDispatcher dispatcher = new OutboxDispatcher(
                connectionProvider,
                repository,
                new DefaultListenerRegistry()
                        .register("UserCreated", event -> received.complete(event.payloadJson()))
                        .registerAll(event -> audited.complete(event.eventId())),
                new DefaultInFlightTracker(),
                new ExponentialBackoffRetryPolicy(200, 60_000),
                10,
                4,
                1000,
                1000,
                MetricsExporter.NOOP);
        OutboxPoller poller = new OutboxPoller(
                connectionProvider, repository, dispatcher, Duration.ofSeconds(1), 200, 5000, MetricsExporter.NOOP);
        poller.start();
        JdbcTransactionManager txManager = new JdbcTransactionManager(connectionProvider, txContext);
        try {
            String eventId;
            try (JdbcTransactionManager.Transaction tx = txManager.begin()) {
                OutboxClient client = new OutboxClient(txContext, repository, dispatcher, MetricsExporter.NOOP);
                eventId = client.publish(EventEnvelope.ofJson("UserCreated", "{\"id\":123}"));
                tx.commit();
            }
            assertThat(received.get(30, TimeUnit.SECONDS)).isEqualTo("{\"id\":123}");
            assertThat(audited.get(30, TimeUnit.SECONDS)).isEqualTo(eventId);
        } finally {
            poller.close();
            dispatcher.close();
        }
    }

    @Test
    void declaresTheCoreAbstractions() {
        declares(
                TxContext.class,
                "boolean isTransactionActive()",
                "Connection currentConnection()",
                "void afterCommit(Runnable)",
                "void afterRollback(Runnable)");
        declares(ConnectionProvider.class, "Connection getConnection()");
        declares(
                EventStore.class,
                "void insertNew(Connection, EventEnvelope)",
                "int markDone(Connection, String)",
                "int markRetry(Connection, String, Instant, String)",
                "int markDead(Connection, String, String)",
                "List<OutboxEvent> pollPending(Connection, Instant, Duration, int)");
        assertThat(Stream.of(EventStore.class.getMethods())
                        .filter(method -> Modifier.isAbstract(method.getModifiers())))
                .as("an event store of an application implements these five and no more")
                .hasSize(5);
        assertThat(TxContext.class).isAssignableFrom(ThreadLocalTxContext.class);
        assertThat(ConnectionProvider.class).isAssignableFrom(DataSourceConnectionProvider.class);
        assertThat(EventStore.class).isAssignableFrom(JdbcOutboxRepository.class);
    }

    @Test
    void declaresTheEnvelopeAndItsTypes() {
        declares(EventType.class, "String name()");
        declares(AggregateType.class, "String name()");
        declares(StringEventType.class, "StringEventType of(String)");
        declares(StringAggregateType.class, "StringAggregateType of(String)");
        declares(
                EventEnvelope.class,
                "Builder builder(EventType)",
                "Builder builder(String)",
                "EventEnvelope ofJson(String, String)",
                "String eventId()",
                "String eventType()",
                "Instant occurredAt()",
                "String aggregateType()",
                "String aggregateId()",
                "String tenantId()",
                "Map<String, String> headers()",
                "String payloadJson()",
                "byte[] payloadBytes()");
        declares(
                EventEnvelope.Builder.class,
                "Builder eventId(String)",
                "Builder occurredAt(Instant)",
                "Builder aggregateType(AggregateType)",
                "Builder aggregateType(String)",
                "Builder aggregateId(String)",
                "Builder tenantId(String)",
                "Builder headers(Map<String, String>)",
                "Builder payloadJson(String)",
                "Builder payloadBytes(byte[])",
                "EventEnvelope build()");
        assertThat(EventEnvelope.PAYLOAD_BYTES_MAX).isEqualTo(1_048_576);
        assertThat(Stream.of(EventStatus.values()).collect(Collectors.toMap(EventStatus::name, EventStatus::code)))
                .isEqualTo(Map.of("NEW", 0, "DONE", 1, "RETRY", 2, "DEAD", 3));
        assertThat(JsonCodec.class).isPublic();
    }

    @Test
    void declaresTheClient() {
        assertThat(OutboxClient.class).isFinal();
        declares(
                OutboxClient.class,
                "OutboxClient(TxContext, EventStore, OutboxDispatcher, MetricsExporter)",
                "String publish(EventEnvelope)");
    }

    @Test
    void declaresTheDispatcher() {
        declares(
                OutboxDispatcher.class,
                "OutboxDispatcher(ConnectionProvider, EventStore, ListenerRegistry, InFlightTracker, RetryPolicy,"
                        + " int, int, int, int, MetricsExporter)",
                "boolean enqueueHot(QueuedEvent)",
                "boolean enqueueCold(QueuedEvent)",
                "boolean hasColdQueueCapacity()",
                "void close()");
        declares(QueuedEvent.class, "EventEnvelope envelope()", "Source source()", "int attempts()");
        assertThat(QueuedEvent.Source.values()).extracting(Enum::name).containsExactly("HOT", "COLD");
        declares(InFlightTracker.class, "boolean tryAcquire(String)", "void release(String)");
        declares(DefaultInFlightTracker.class, "DefaultInFlightTracker()", "DefaultInFlightTracker(long)");
        declares(RetryPolicy.class, "long computeDelayMs(int)");
        declares(ExponentialBackoffRetryPolicy.class, "ExponentialBackoffRetryPolicy(long, long)");
    }

    @Test
    void declaresThePoller() {
        declares(
                OutboxPoller.class,
                "OutboxPoller(ConnectionProvider, EventStore, OutboxDispatcher, Duration, int, long, MetricsExporter)",
                "void start()",
                "void poll()",
                "void close()");
    }

    @Test
    void declaresTheListeners() {
        declares(EventListener.class, "void onEvent(EventEnvelope)");
        declares(ListenerRegistry.class, "List<EventListener> listenersFor(String)");
        declares(
                DefaultListenerRegistry.class,
                "DefaultListenerRegistry()",
                "DefaultListenerRegistry register(EventType, EventListener)",
                "DefaultListenerRegistry register(String, EventListener)",
                "DefaultListenerRegistry registerAll(EventListener)");
        EventListener lambda = event -> {};
        assertThat(new DefaultListenerRegistry().registerAll(lambda).listenersFor("any"))
                .containsExactly(lambda);
    }

    @Test
    void declaresTheMetrics() {
        declares(
                MetricsExporter.class,
                "void incrementHotEnqueued()",
                "void incrementHotDropped()",
                "void incrementColdEnqueued()",
                "void incrementDispatchSuccess()",
                "void incrementDispatchFailure()",
                "void incrementDispatchDead()",
                "void recordQueueDepths(int, int)",
                "void recordOldestLagMs(long)");
        assertThat(MetricsExporter.NOOP).isNotNull();
    }

    @Test
    void hasTheSettingsAndDefaults() {
        OutboxConfig config = new OutboxConfig();
        assertThat(config.dispatcherWorkers()).isEqualTo(4);
        assertThat(config.hotQueueCapacity()).isEqualTo(1000);
        assertThat(config.coldQueueCapacity()).isEqualTo(1000);
        assertThat(config.pollerEnabled()).isTrue();
        assertThat(config.pollerIntervalMs()).isEqualTo(5000);
        assertThat(config.pollerBatchSize()).isEqualTo(200);
        assertThat(config.pollerSkipRecent()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.retryBaseDelayMs()).isEqualTo(200);
        assertThat(config.retryMaxDelayMs()).isEqualTo(60_000);
        assertThat(config.retryMaxAttempts()).isEqualTo(10);
        declares(
                OutboxConfig.class,
                "OutboxConfig()",
                "OutboxConfig setDispatcherWorkers(int)",
                "OutboxConfig setHotQueueCapacity(int)",
                "OutboxConfig setColdQueueCapacity(int)",
                "OutboxConfig setPollerEnabled(boolean)",
                "OutboxConfig setPollerIntervalMs(long)",
                "OutboxConfig setPollerBatchSize(int)",
                "OutboxConfig setPollerSkipRecentMs(long)",
                "OutboxConfig setRetryBaseDelayMs(long)",
                "OutboxConfig setRetryMaxDelayMs(long)",
                "OutboxConfig setRetryMaxAttempts(int)");
    }

    private static void declares(Class<?> type, String... signatures) {
        assertThat(type).isPublic();
        assertThat(Stream.concat(Arrays.stream(type.getConstructors()), Arrays.stream(type.getMethods()))
                        .map(SeedContractTest::signature))
                .as(type.getName())
                .contains(signatures);
    }

    private static String signature(Executable executable) {
        String parameters = Arrays.stream(executable.getGenericParameterTypes())
                .map(SeedContractTest::name)
                .collect(Collectors.joining(", ", "(", ")"));
        return switch (executable) {
            case Constructor<?> constructor -> constructor.getDeclaringClass().getSimpleName() + parameters;
            case Method method -> name(method.getGenericReturnType()) + " " + method.getName() + parameters;
        };
    }

    /** The name as a reader writes it: without packages and enclosing types. */
    private static String name(Type type) {
        return type.getTypeName().replaceAll("[\\w.]+[.$](?=\\w)", "");
    }
}
