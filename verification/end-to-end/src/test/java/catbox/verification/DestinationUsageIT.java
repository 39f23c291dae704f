package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.relay.route.RouteTable.Target.to;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.model.PublishResult;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.route.Match;
import outbox.relay.route.RouteTable;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.relay.RelayStores;

/** Destinations and routes as the documentation shows them: PostgreSQL, Kafka and an HTTP API, all of them real. */
class DestinationUsageIT {

    private static int databases;

    private final BlockingQueue<String> posted = new LinkedBlockingQueue<>();
    private final ThreadLocalTxContext context = new ThreadLocalTxContext();
    private HikariDataSource dataSource;
    private DataSourceConnectionProvider connections;
    private HttpServer api;
    private String bootstrapServers;

    @BeforeEach
    void open() throws Exception {
        DatabaseServer server = DevServices.postgres();
        dataSource = FanOutMain.pool(server.createDatabase("destination_usage_" + ++databases), server.user());
        connections = new DataSourceConnectionProvider(dataSource);
        new SchemaInstaller(connections).install();
        bootstrapServers = DevServices.kafka().bootstrapServers();
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", exchange -> {
            posted.add(exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        api.start();
    }

    @AfterEach
    void close() {
        api.stop(0);
        dataSource.close();
    }

    @Test
    void routesToKafkaAndToAnApi() throws Exception {
        String apiUrl = "http://127.0.0.1:" + api.getAddress().getPort();
        RelayStores stores = new JdbcStores(connections).relay();
        // tag::destinations[]
        Destination kafka = DestinationFactory.create(
                "kafka",
                "kafka-main",
                Map.of(
                        "bootstrap-servers",
                        bootstrapServers,
                        "create-topics",
                        "true",
                        "property.compression.type",
                        "lz4"));
        Destination api = DestinationFactory.create(
                "http",
                "ledger",
                Map.of("base-url", apiUrl, "path", "/api/events/batch", "allow-private-addresses", "true"));

        RouteTable routes = RouteTable.builder()
                .drop("noise", Match.all().eventType("Debug*"), "of interest to nobody but us")
                .route("orders", Match.all().aggregateType("Order"), to("kafka-main", "orders"), to("ledger"))
                .otherwise(to("kafka-main"))
                .build();

        Relay relay = Relay.on(stores, RelayConfig.of("node-1"))
                .destination("kafka-main", kafka)
                .destination("ledger", api)
                .router(routes.router())
                .build()
                .start();
        // end::destinations[]
        try (relay) {
            publish(order("order-1", "{\"n\":1}"));

            assertThat(posted.poll(60, TimeUnit.SECONDS)).isEqualTo("/api/events/batch [{\"n\":1}]");
            ConsumerRecord<String, String> record = consume("orders");
            assertThat(record.key()).isEqualTo("order-1");
            assertThat(record.value()).isEqualTo("{\"n\":1}");

            // tag::reroute[]
            relay.reroute(RouteTable.builder()
                    .otherwise(to("ledger", "/api/other"))
                    .build()
                    .router());
            // end::reroute[]
            publish(order("order-2", "{\"n\":2}"));
            assertThat(posted.poll(60, TimeUnit.SECONDS)).isEqualTo("/api/other [{\"n\":2}]");
        }
    }

    @Test
    void isAListenerOfTheDispatcher() throws Exception {
        try (Destination kafka = kafka();
                Outbox outbox = JdbcOutbox.builder(dataSource, context).build()) {
            // tag::listener[]
            outbox.listeners().registerDestination(kafka, "InvoiceSent", "InvoicePaid");
            // end::listener[]
            new JdbcTransactionManager(connections, context)
                    .run(connection -> outbox.publish(EventEnvelope.builder("InvoicePaid")
                            .aggregateId("invoice-7")
                            .payloadJson("{\"paid\":true}")
                            .build()));

            ConsumerRecord<String, String> record = consume("InvoicePaid");
            assertThat(record.key()).isEqualTo("invoice-7");
            assertThat(record.value()).isEqualTo("{\"paid\":true}");
            assertThat(new String(record.headers().lastHeader("outbox-attempt").value(), StandardCharsets.UTF_8))
                    .isEqualTo("1");
        }
    }

    @Test
    void publishesASingleMessage() throws Exception {
        try (Destination publisher = kafka()) {
            // tag::publisher[]
            PublishResult result = publisher
                    .publish("ReminderDue", "customer-1", "{\"text\":\"hello\"}")
                    .get(30, TimeUnit.SECONDS);
            // end::publisher[]
            assertThat(result.eventType()).isEqualTo("ReminderDue");
            assertThat(result.key()).isEqualTo("customer-1");
            assertThat(result.metadata()).isEqualTo("ReminderDue-" + result.partition() + "@" + result.offset());
        }
    }

    private Destination kafka() {
        return DestinationFactory.create(
                "kafka", "main", Map.of("bootstrap-servers", bootstrapServers, "create-topics", "true"));
    }

    private static EventEnvelope order(String id, String payload) {
        return EventEnvelope.builder("OrderPlaced")
                .aggregateType("Order")
                .aggregateId(id)
                .payloadJson(payload)
                .build();
    }

    private void publish(EventEnvelope event) throws SQLException {
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        new JdbcTransactionManager(connections, context).run(connection -> client.publish(event));
    }

    private ConsumerRecord<String, String> consume(String topic) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", bootstrapServers, "group.id", "usage-" + topic, "auto.offset.reset", "earliest");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            for (int look = 0; look < 120; look++) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(500))) {
                    return record;
                }
            }
        }
        throw new AssertionError("nothing arrived in " + topic);
    }
}
