package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.relay.route.RouteTable.Target.to;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.registry.DefaultListenerRegistry;
import outbox.relay.ClusterConfig;
import outbox.relay.DestinationConfig;
import outbox.relay.FileDestination;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.WakeUpSender;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Match;
import outbox.relay.route.RouteTable;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.Pause;
import outbox.spi.relay.RelayStores;

/** The relay as the documentation shows it, compiled and run on PostgreSQL. */
class RelayUsageIT {

    private final BlockingQueue<RelayEvent> events = new LinkedBlockingQueue<>();
    private static int databases;

    private HikariDataSource dataSource;

    @TempDir
    Path folder;

    @BeforeEach
    void openDatabase() {
        DatabaseServer server = DevServices.postgres();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.createDatabase("relay_usage_" + ++databases));
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(20);
        dataSource = new HikariDataSource(config);
    }

    @AfterEach
    void closeDatabase() {
        dataSource.close();
    }

    @Test
    void deliversWhatAnApplicationHasStored() throws Exception {
        Path file = folder.resolve("events.jsonl");
        // tag::relay[]
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
        new SchemaInstaller(connections).install();
        RelayStores stores = new JdbcStores(connections).relay();

        Relay relay = Relay.on(stores, RelayConfig.of("node-1"))
                .destination("archive", new FileDestination(file))
                .channel(new PostgresWakeUpChannel(connections)) // PostgreSQL only; others are polled
                .listener(events::add)
                .build()
                .start();
        // end::relay[]

        // tag::publish[]
        ThreadLocalTxContext txContext = new ThreadLocalTxContext();
        JdbcTransactionManager transactions = new JdbcTransactionManager(connections, txContext);
        OutboxClient client = new OutboxClient(new JdbcOutboxRepository().publisher(txContext), relay.hotPath());

        transactions.run(connection -> client.publish(EventEnvelope.builder("OrderPlaced")
                .orderingKey("order-1")
                .payloadJson("{\"orderId\":1}")
                .build()));
        // end::publish[]

        awaitEvent(RelayEvent.Settled.class);
        relay.close();
        assertThat(Files.readString(file)).contains("\"payload\":{\"orderId\":1}", "\"key\":\"order-1\"");
    }

    @Test
    void keepsTheOrderOfKeysForListeners() throws Exception {
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
        new SchemaInstaller(connections).install();
        BlockingQueue<String> broker = new LinkedBlockingQueue<>();
        // tag::listeners[]
        DefaultListenerRegistry listeners =
                new DefaultListenerRegistry().register("OrderPlaced", event -> broker.add(event.eventId()));

        Relay relay = Relay.on(new JdbcStores(connections).relay(), RelayConfig.of("node-1"))
                .listeners(listeners)
                .build()
                .start();
        ThreadLocalTxContext txContext = new ThreadLocalTxContext();
        OutboxClient client = new OutboxClient(new JdbcOutboxRepository().publisher(txContext), relay.hotPath());
        // end::listeners[]
        List<EventEnvelope> published = new ArrayList<>();
        try (relay) {
            for (int n = 0; n < 10; n++) {
                EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                        .orderingKey("order-1")
                        .payloadJson("{}")
                        .build();
                published.add(event);
                new JdbcTransactionManager(connections, txContext).run(connection -> client.publish(event));
            }
            for (EventEnvelope event : published) {
                assertThat(broker.poll(30, TimeUnit.SECONDS)).isEqualTo(event.eventId());
            }
        }
    }

    @Test
    void wakesARelayInAnotherProcess() throws Exception {
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
        new SchemaInstaller(connections).install();
        // tag::store-only[]
        ThreadLocalTxContext txContext = new ThreadLocalTxContext();
        WakeUpSender sender = new WakeUpSender(new PostgresWakeUpChannel(connections)).start();
        OutboxClient client = new OutboxClient(new JdbcOutboxRepository().publisher(txContext), sender);
        // end::store-only[]
        RelayConfig config = RelayConfig.of("node-1")
                .withClaim(RelayConfig.ClaimConfig.defaults().withPollMax(Duration.ofHours(1)));
        try (Relay relay = Relay.on(stores(connections), config)
                .destination("archive", new FileDestination(folder.resolve("events.jsonl")))
                .channel(new PostgresWakeUpChannel(connections))
                .listener(events::add)
                .build()
                .start()) {
            for (int partition = 0; partition < RelayConfig.PARTITIONS_DEFAULT; partition++) {
                awaitEvent(RelayEvent.PartitionAcquired.class);
            }
            JdbcTransactionManager transactions = new JdbcTransactionManager(connections, txContext);
            transactions.run(connection -> client.publish(EventEnvelope.ofJson("OrderPlaced", "{}")));
            awaitEvent(RelayEvent.Settled.class);
            assertThat(relay.status().partitions()).hasSize(RelayConfig.PARTITIONS_DEFAULT);
        }
        sender.close();
    }

    @Test
    void isConfiguredAndOperated() throws Exception {
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
        new SchemaInstaller(connections).install();
        // tag::config[]
        RelayConfig config = RelayConfig.of(System.getenv().getOrDefault("HOSTNAME", "node-1"))
                .withStrategy(ClaimStrategy.PARTITIONED)
                .withPartitions(6)
                .withCluster(ClusterConfig.of("node-1")
                        .withWeight(2)
                        .withHeartbeat(Duration.ofSeconds(1), Duration.ofSeconds(10)))
                .withSettle(SettleConfig.defaults()
                        .withMaxAttempts(5)
                        .withDoneRows(DoneRows.DELETE)
                        .withOnDeadEvent(SettleConfig.OnDeadEvent.PAUSE_KEY));
        RouteTable routes = RouteTable.builder()
                .route("orders", Match.all().eventType("Order*"), 3, to("archive"))
                .drop("noise", Match.all().eventType("Debug*"), "of interest to nobody but us")
                .otherwise(to("elsewhere"))
                .build();
        Relay relay = Relay.on(stores(connections), config)
                .destination("archive", new FileDestination(folder.resolve("orders.jsonl")))
                .destination(
                        "elsewhere",
                        new FileDestination(folder.resolve("others.jsonl")),
                        DestinationConfig.defaults()
                                .withDeadline(Duration.ofSeconds(10))
                                .withEventsPerSecondMax(100))
                .router(routes.router())
                .build()
                .start();
        // end::config[]
        relay.close();

        // tag::operate[]
        ClusterAdmin admin = new JdbcStores(connections).clusterAdmin();
        admin.pause(new Pause.Subject(Pause.Kind.DESTINATION, "archive"), "the disk is being replaced", "ann");
        admin.resume(new Pause.Subject(Pause.Kind.DESTINATION, "archive"), "ann");
        admin.changePartitions(12, "ann"); // while producers write and nodes run
        admin.changeStrategy(ClaimStrategy.PRIMARY, "ann"); // and back
        // end::operate[]
        assertThat(admin.pauses()).isEmpty();
    }

    private RelayStores stores(DataSourceConnectionProvider connections) {
        return new JdbcStores(connections).relay();
    }

    private void awaitEvent(Class<? extends RelayEvent> kind) throws InterruptedException {
        RelayEvent event = events.poll(30, TimeUnit.SECONDS);
        while (event != null && !kind.isInstance(event)) {
            event = events.poll(30, TimeUnit.SECONDS);
        }
        assertThat(event).as("an event of kind " + kind.getSimpleName()).isNotNull();
    }
}
