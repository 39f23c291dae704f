package catbox.orders;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DevServices;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Checks that the service needs no other server with the profile deliver. */
class DeliverProfileIT {

    private static final int POLLS_MAX = 100;

    /** Of the service that was started last: closing a service closes its exporter. */
    private static volatile InMemorySpanExporter spans = InMemorySpanExporter.create();

    /** Collects every span of the service. */
    @Configuration(proxyBeanMethods = false)
    static class SpansInMemory {
        @Bean
        SpanProcessor spansInMemory() {
            spans = InMemorySpanExporter.create();
            return SimpleSpanProcessor.create(spans);
        }
    }

    @Test
    void deliversToKafkaWithoutAServer() throws Exception {
        String bootstrapServers = DevServices.kafka().bootstrapServers();
        try (Running service = Running.start(
                SpansInMemory.class,
                "--spring.profiles.active=deliver",
                "--management.tracing.sampling.probability=1.0",
                "--outbox.destinations.kafka.bootstrap-servers=" + bootstrapServers)) {
            long id = service.order();
            service.post("/orders/payment", "1", "{\"orderId\":" + id + "}");

            ConsumerRecord<String, String> record = first("OrderCompleted");
            assertThat(record.key()).isEqualTo(Long.toString(id));
            assertThat(record.value()).isEqualTo("{\"orderId\":" + id + ",\"userId\":1,\"amountCents\":1250}");
            assertThat(header(record, "outbox-event-id")).isNotBlank();
            assertThat(header(record, "traceparent"))
                    .as("the record continues the trace of the request")
                    .contains(traceOf("http post /orders/payment"));
        }
    }

    private static String header(ConsumerRecord<String, String> record, String name) {
        return new String(
                Objects.requireNonNull(record.headers().lastHeader(name), name).value(), StandardCharsets.UTF_8);
    }

    private static String traceOf(String span) {
        return spans.getFinishedSpanItems().stream()
                .filter(each -> each.getName().equals(span))
                .map(SpanData::getTraceId)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + span + " in " + spans.getFinishedSpanItems()));
    }

    private static ConsumerRecord<String, String> first(String topic) {
        Map<String, Object> properties = new HashMap<>(DevServices.kafka().clientProperties());
        properties.put("group.id", "deliver-profile");
        properties.put("auto.offset.reset", "earliest");
        properties.put("metadata.max.age.ms", "500"); // The topic may be created after the consumer.
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            for (int poll = 0; poll < POLLS_MAX && records.isEmpty(); poll++) {
                consumer.poll(Duration.ofMillis(300)).forEach(records::add);
            }
            assertThat(records).describedAs("records of topic %s", topic).isNotEmpty();
            return records.getFirst();
        }
    }
}
