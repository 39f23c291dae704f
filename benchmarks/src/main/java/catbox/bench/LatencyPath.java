package catbox.bench;

import catbox.devservices.DevServer;
import catbox.devservices.KafkaBroker;
import catbox.devservices.ProgramServer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.relay.WakeUpSender;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;

/** Publishes from a business transaction to a topic, on a separate database. */
final class LatencyPath implements AutoCloseable {

    private static final String DIRECT = "direct";
    private static final String DISPATCHER = "dispatcher";
    private static final String SERVER = "server";

    private static final int CONNECTIONS = 12;

    private final String name;
    private final Bench bench;
    private final Step step;
    private final List<AutoCloseable> parts;
    private long committedNanos;

    /** Actions for an event inside the transaction, and after it has committed. */
    private record Step(Consumer<EventEnvelope> inside, Consumer<EventEnvelope> after) {}

    private LatencyPath(String name, Bench bench, Step step, List<AutoCloseable> parts) {
        this.name = name;
        this.bench = bench;
        this.step = step;
        this.parts = parts;
    }

    static List<String> topics() {
        return List.of(DIRECT, DISPATCHER, SERVER);
    }

    String name() {
        return name;
    }

    /** Runs a business transaction and returns the id of its event. */
    String publish(long number) throws SQLException {
        EventEnvelope event = BusinessTransaction.event(name, number);
        bench.transactions.run(connection -> {
            BusinessTransaction.insertOrder(connection, number);
            step.inside().accept(event);
        });
        committedNanos = System.nanoTime();
        step.after().accept(event);
        return event.eventId();
    }

    /** Returns when the last transaction had committed. */
    long committedNanos() {
        return committedNanos;
    }

    /** Sends after the commit, without any guarantee. */
    static LatencyPath direct(KafkaBroker broker) throws SQLException {
        Map<String, Object> properties = new LinkedHashMap<>(broker.clientProperties());
        properties.put("linger.ms", "0");
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        Step step = new Step(event -> {}, event -> {
            ProducerRecord<byte[], byte[]> message =
                    new ProducerRecord<>(DIRECT, utf8(event.aggregateId()), utf8(event.payloadJson()));
            message.headers().add(Consumed.EVENT_ID, utf8(event.eventId()));
            var unused = producer.send(message);
        });
        return new LatencyPath(DIRECT, new Bench("latency_direct", CONNECTIONS), step, List.of(producer));
    }

    static LatencyPath dispatcher(KafkaBroker broker) throws SQLException {
        Bench bench = new Bench("latency_dispatcher", CONNECTIONS);
        Destination kafka =
                DestinationFactory.create("kafka", DISPATCHER, Map.of("bootstrap-servers", broker.bootstrapServers()));
        Outbox outbox = JdbcOutbox.builder(bench.dataSource, bench.context).build();
        outbox.listeners().registerDestination(kafka, DISPATCHER);
        return new LatencyPath(DISPATCHER, bench, publishing(outbox.client()), List.of(outbox, kafka));
    }

    /** Only stores, and notifies the server in its own process. */
    static LatencyPath server(KafkaBroker broker) throws SQLException {
        Bench bench = new Bench("latency_server", CONNECTIONS);
        int port = ProgramServer.freePort(8081);
        String file = """
                server:
                  port: %d
                  liveness-port: 0
                sources:
                  orders:
                    url: %s
                    user: %s
                destinations:
                  kafka:
                    kind: kafka
                    bootstrap-servers: %s
                """.formatted(
                        port, bench.dataSource.getJdbcUrl(), bench.dataSource.getUsername(), broker.bootstrapServers());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        DevServer server = ProgramServer.start(
                "catbox-server",
                List.of(java, "-jar", serverJar().toString()),
                Map.of("catbox.yaml", file),
                port,
                "/actuator/health/readiness");
        WakeUpSender sender =
                new WakeUpSender(new PostgresWakeUpChannel(new DataSourceConnectionProvider(bench.dataSource))).start();
        return new LatencyPath(SERVER, bench, publishing(bench.publishing(sender)), List.of(sender, server));
    }

    // Built with the benchmarks, and found relative to their jar.
    static Path serverJar() {
        try {
            Path benchmarks = Path.of(LatencyPath.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return benchmarks
                    .resolve("../../../apps/server/target/catbox-server.jar")
                    .normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Step publishing(OutboxClient client) {
        return new Step(client::publish, event -> {});
    }

    private static byte[] utf8(@Nullable String text) {
        return Objects.requireNonNull(text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException("a part of " + name + " could not be closed", e);
            }
        }
        bench.close();
    }
}
