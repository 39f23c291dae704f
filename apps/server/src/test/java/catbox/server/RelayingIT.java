package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example file at work: real PostgreSQL, real Kafka, and what can be asked over HTTP. */
class RelayingIT {

    private static final Path EXAMPLE = Path.of("src/main/config/orders-to-kafka.yaml");

    @TempDir
    Path folder;

    @Test
    void relaysFromPostgresToKafkaAndSaysHowItIs() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("relaying");
        String kafka = DevServices.kafka().bootstrapServers();
        Map<String, String> environment = Map.of(
                "ORDERS_DB_URL",
                url,
                "ORDERS_DB_USER",
                postgres.user(),
                "KAFKA_BOOTSTRAP_SERVERS",
                kafka,
                "OUTBOX_NODE_ID",
                "node-a",
                "OUTBOX_PARTITIONS",
                "3");
        String yaml = Files.readString(EXAMPLE) + "server: { port: 0 }\n";
        try (TestServer server = TestServer.start(folder, yaml, environment)) {
            String readiness = server.awaitReady();
            TestTable table = new TestTable(postgres, url, "outbox_event");
            for (int n = 0; n < 20; n++) {
                table.publish("ServerOrderPlaced", "order-" + n % 4, "{\"n\":" + n + "}");
            }

            assertThat(consume(kafka, "ServerOrderPlaced", 20))
                    .extracting(ConsumerRecord::key)
                    .containsOnly("order-0", "order-1", "order-2", "order-3");
            table.awaitDone(20);

            assertThat(readiness).contains("\"registry\"", "\"node-a\"", "\"own\":[0,1,2]", "\"database\"");
            assertThat(server.health("destinations/orders/kafka")).contains("\"kind\":\"kafka\"", "\"UP\"");
            assertThat(server.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
            assertThat(server.get("/actuator/prometheus").body())
                    .contains(
                            "outbox_deliver_events_total{partition=\"0\",source=\"orders\"}", "jvm_memory_used_bytes");
            assertThat(server.get("/actuator/info").statusCode()).isEqualTo(200);
            for (String closed : List.of("env", "beans", "heapdump", "loggers", "shutdown", "metrics")) {
                assertThat(server.get("/actuator/" + closed).statusCode())
                        .describedAs(closed)
                        .isEqualTo(404);
            }
        }
    }

    private static List<ConsumerRecord<String, String>> consume(String bootstrapServers, String topic, int count) {
        Map<String, Object> properties =
                Map.of("bootstrap.servers", bootstrapServers, "group.id", "server", "auto.offset.reset", "earliest");
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            for (int look = 0; look < 120 && records.size() < count; look++) {
                consumer.poll(Duration.ofMillis(500)).forEach(records::add);
            }
        }
        assertThat(records).hasSize(count);
        return records;
    }
}
