package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.message.MessageForm;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

final class KafkaConfigTest {

    @Test
    void hasDefaultsForEverythingButTheServers() {
        KafkaConfig config = config(Map.of());

        assertThat(config.topic()).hasToString("{eventType}");
        assertThat(config.writer().form()).isEqualTo(MessageForm.PLAIN);
        assertThat(config.creation()).isEqualTo(new TopicCreation(false, -1, -1));
        assertThat(config.transactionalIdPrefix()).isNull();
        assertThat(config.client().producer("id"))
                .containsEntry("bootstrap.servers", "localhost:9092")
                .containsEntry("client.id", "id")
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("delivery.timeout.ms", "20000")
                .containsEntry("request.timeout.ms", "10000")
                .containsEntry("max.block.ms", "5000")
                .containsEntry("linger.ms", "0")
                .containsEntry("batch.size", "131072");
        assertThat(config.client().clientId()).isEqualTo("orders");
        assertThat(config.client().fastProducer("id")).containsEntry("max.block.ms", 100L);
    }

    @Test
    void theServersAreRequired() {
        assertThatThrownBy(() -> KafkaConfig.from(new Settings("destination orders", "orders", Map.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("destination orders: setting bootstrap-servers is missing");
    }

    @Test
    void debeziumsFormHasItsOwnTopics() {
        assertThat(config(Map.of("form", "debezium-outbox")).topic()).hasToString("outbox.event.{aggregateType}");
        assertThat(config(Map.of("form", "debezium-outbox", "topic", "all")).topic())
                .hasToString("all");
    }

    @Test
    void transactionsHaveAPrefixOfTheDestinationsName() {
        assertThat(config(Map.of("transactional", "true")).transactionalIdPrefix())
                .isEqualTo("outbox-orders");
        assertThat(config(Map.of("transactional", "true", "transactional-id-prefix", "mine"))
                        .transactionalIdPrefix())
                .isEqualTo("mine");
    }

    @Test
    void aTransactionIsGivenUpInTime() {
        assertThat(config(Map.of("transactional", "true")).client().producer("id"))
                .containsEntry("max.block.ms", "8000")
                .containsEntry("transaction.timeout.ms", "30000");
        assertThat(config(Map.of("transactional", "true", "property.max.block.ms", "99"))
                        .client()
                        .producer("id"))
                .containsEntry("max.block.ms", "99");
    }

    @Test
    void passesAnyPropertyThrough() {
        Map<String, Object> producer = config(Map.of(
                        "property.compression.type", "lz4",
                        "property.linger.ms", "7",
                        "property.acks", "-1",
                        "property.some.interceptors.own", "x"))
                .client()
                .producer("id");

        assertThat(producer)
                .containsEntry("compression.type", "lz4")
                .containsEntry("linger.ms", "7")
                .containsEntry("some.interceptors.own", "x")
                .containsEntry("acks", "all");
    }

    @Test
    void topicsAreCreatedByAClientWithTheSameSecurity() {
        Map<String, Object> admin = config(Map.of("property.security.protocol", "SASL_SSL", "property.linger.ms", "7"))
                .client()
                .admin("id");

        assertThat(admin).containsEntry("security.protocol", "SASL_SSL").doesNotContainKeys("linger.ms", "acks");
    }

    @ParameterizedTest
    @CsvSource({
        "acks, 1, replicas",
        "acks, 0, replicas",
        "enable.idempotence, false, order",
        "partitioner.ignore.keys, true, partition",
        "key.serializer, x.Y, bytes",
        "value.serializer, x.Y, bytes",
        "bootstrap.servers, x:1, bootstrap-servers",
        "transactional.id, x, transactional-id-prefix"
    })
    void refusesPropertiesThatWouldBreakAPromise(String property, String value, String why) {
        assertThatThrownBy(() -> config(Map.of("property." + property, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("destination orders", "property." + property, why);
    }

    @ParameterizedTest
    @CsvSource({"linger.ms, soon", "retries, 0", "max.in.flight.requests.per.connection, 6", "delivery.timeout.ms, 5"})
    void refusesWhatKafkaRefuses(String property, String value) {
        assertThatThrownBy(() -> config(Map.of("property." + property, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(property);
    }

    @ParameterizedTest
    @CsvSource({
        "partitions, 0",
        "partitions, many",
        "replication-factor, 0",
        "create-topics, maybe",
        "transactional, 1",
        "topic, {nothing}",
        "form, avro"
    })
    void namesTheSettingThatIsWrong(String setting, String value) {
        assertThatThrownBy(() -> config(Map.of(setting, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("setting " + setting);
    }

    @Test
    void isFoundByItsKindAndRefusesUnknownSettings() {
        try (Destination destination =
                DestinationFactory.create("kafka", "orders", Map.of("bootstrap-servers", "localhost:9092"))) {
            assertThat(destination).hasToString("Kafka orders at localhost:9092");
        }
        assertThatThrownBy(() -> DestinationFactory.create(
                        "kafka", "orders", Map.of("bootstrap-servers", "localhost:9092", "topics", "x")))
                .hasMessageContainingAll("topics", "create-topics", "property.*");
    }

    @Test
    void limitsPayloadsInFlightToTheProducersMemory() {
        try (Destination destination = new KafkaDestination(config(Map.of("property.buffer.memory", "4000000")));
                Destination transactional = new KafkaDestination(config(Map.of("transactional", "true")))) {
            assertThat(destination.traits().bytesInFlightMax()).isEqualTo(2_000_000);
            assertThat(transactional.traits().bytesInFlightMax()).isEqualTo(32 << 20);
        }
    }

    @Test
    void takesOneEventOfAKeyAtATimeIfTheClientWouldNotKeepOrder() {
        Map<String, String> five = Map.of("property.max.in.flight.requests.per.connection", "5");
        Map<String, String> roundRobin =
                Map.of("property.partitioner.class", "org.apache.kafka.clients.producer.RoundRobinPartitioner");
        try (Destination destination = new KafkaDestination(config(Map.of()));
                Destination overlapping = new KafkaDestination(config(five));
                Destination spread = new KafkaDestination(config(roundRobin));
                Destination transactional = new KafkaDestination(config(Map.of("transactional", "true")))) {
            assertThat(destination.traits().eventsPerKeyMax()).isEqualTo(1_000);
            assertThat(overlapping.traits().eventsPerKeyMax()).isEqualTo(1);
            assertThat(spread.traits().eventsPerKeyMax()).isEqualTo(1);
            assertThat(transactional.traits().eventsPerKeyMax()).isEqualTo(1_000);
        }
    }

    @Test
    void showsNoSecrets() {
        String jaas = "org.apache.kafka.common.security.plain.PlainLoginModule required"
                + " username=\"me\" password=\"hunter2\";";
        KafkaConfig config =
                config(Map.of("property.sasl.jaas.config", jaas, "property.ssl.truststore.password", "hunter3"));

        assertThat(config.toString()).contains("sasl.jaas.config").doesNotContain("hunter2", "hunter3");
        assertThat(config.client().redaction()).asString().doesNotContain("hunter");
        assertThat(config.client().redaction().in("login of hunter2 with " + jaas + " and hunter3"))
                .isEqualTo("login of (secret) with (secret) and (secret)");
    }

    @Test
    void showsNoSecretWhenKafkaRejectsAProperty() {
        assertThatThrownBy(
                        () -> config(Map.of("property.ssl.key.password", "hunter2", "property.linger.ms", "hunter2")))
                .hasMessageContaining("linger.ms")
                .hasMessageNotContaining("hunter2");
    }

    private static KafkaConfig config(Map<String, String> further) {
        Map<String, String> settings = new HashMap<>(further);
        settings.put("bootstrap-servers", "localhost:9092");
        return KafkaConfig.from(new Settings("destination orders", "orders", settings));
    }
}
