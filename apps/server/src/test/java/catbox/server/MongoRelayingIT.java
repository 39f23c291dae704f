package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DevServices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.internal.Ulids;

/** The example file for MongoDB at work: a real replica set, real Kafka, and what can be asked over HTTP. */
class MongoRelayingIT {

    private static final Path EXAMPLE = Path.of("src/main/config/mongodb-to-kafka.yaml");
    private static final String TYPE = "ServerMongoOrderPlaced";
    private static final int EVENTS = 60;
    private static final int KEYS = 4;

    @TempDir
    Path folder;

    @Test
    void relaysFromMongoDbToKafkaInTheOrderOfEveryKey() throws Exception {
        String uri = TestCollection.sharedUri();
        String database = "server_" + Ulids.SYSTEM.next();
        String kafka = DevServices.kafka().bootstrapServers();
        Map<String, String> environment = Map.of(
                "ORDERS_MONGODB_URL", uri,
                "ORDERS_MONGODB_DATABASE", database,
                "KAFKA_BOOTSTRAP_SERVERS", kafka,
                "OUTBOX_NODE_ID", "node-a",
                "OUTBOX_PARTITIONS", "3");
        // Nothing is looked for within the test, so that whatever arrives was told of by the change stream.
        String yaml = Files.readString(EXAMPLE).replace("    schema:", "    poll-interval-max: 1h\n    schema:")
                + "server: { port: 0 }\n";
        try (TestCollection orders = new TestCollection(uri, database);
                TestServer server = TestServer.start(folder, yaml, environment)) {
            String readiness = server.awaitReady();
            for (int n = 0; n < EVENTS; n++) {
                orders.publish(TYPE, "order-" + n % KEYS, String.valueOf(n));
            }

            Map<String, Set<Integer>> received = received(kafka);
            orders.awaitDone(EVENTS);

            assertThat(received).hasSize(KEYS);
            assertThat(received.values())
                    .allSatisfy(ofOneKey ->
                            assertThat(List.copyOf(ofOneKey)).isSorted().hasSize(EVENTS / KEYS));
            assertThat(readiness).contains("\"registry\"", "\"node-a\"", "\"own\":[0,1,2]", "\"url\":\"mongodb://");
            assertThat(server.get("/actuator/prometheus").body())
                    .contains("outbox_deliver_events_total{partition=\"0\",source=\"orders\"}", "outbox_store_");
        }
    }

    /** What has arrived of each key, in the order of its first arrival: a repetition is allowed and proves nothing. */
    private static Map<String, Set<Integer>> received(String bootstrapServers) {
        Map<String, Object> properties =
                Map.of("bootstrap.servers", bootstrapServers, "group.id", "mongo", "auto.offset.reset", "earliest");
        Map<String, Set<Integer>> byKey = new TreeMap<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TYPE));
            for (int look = 0; look < 120 && count(byKey) < EVENTS; look++) {
                for (var event : consumer.poll(Duration.ofMillis(500))) {
                    byKey.computeIfAbsent(event.key(), key -> new LinkedHashSet<>())
                            .add(Integer.valueOf(event.value()));
                }
            }
        }
        return byKey;
    }

    private static int count(Map<String, Set<Integer>> byKey) {
        return byKey.values().stream().mapToInt(Set::size).sum();
    }
}
