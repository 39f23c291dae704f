package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DevServices;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
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
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.testkit.Await;

/** Checks that one trace leads from the cause of an event to the record in Kafka. */
@SpringBootTest(
        properties = {
            "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                    + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration",
            "management.tracing.sampling.probability=1.0",
            "spring.application.name=shop",
            "outbox.destinations.main.kind=kafka",
            "outbox.destinations.main.create-topics=true",
            "outbox.destinations.main.topic=traced-{eventType}"
        })
class TraceIT {

    private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();

    @Autowired
    private ObservationRegistry observations;

    @Autowired
    private TransactionTemplate transactions;

    @Autowired
    private ApplicationEventPublisher events;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        SpanProcessor spansInMemory() {
            return SimpleSpanProcessor.create(SPANS);
        }
    }

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        registry.add("outbox.destinations.main.bootstrap-servers", DevServices.kafka()::bootstrapServers);
        for (String property : TestDatabases.postgres()) {
            int equals = property.indexOf('=');
            registry.add(property.substring(0, equals), () -> property.substring(equals + 1));
        }
    }

    @Test
    void oneTraceRunsFromTheRequestToTheRecordInKafka() {
        Observation.createNotStarted("http.request", observations)
                .observe(() ->
                        transactions.executeWithoutResult(status -> events.publishEvent(new OrderPaidEvent(1, 1250))));

        ConsumerRecord<String, String> record = firstRecord("traced-OrderPaid");
        String traceParent = new String(
                Objects.requireNonNull(record.headers().lastHeader("traceparent"), "traceparent")
                        .value(),
                StandardCharsets.UTF_8);
        SpanData request = span("http.request");
        assertThat(record.key()).isEqualTo("1");
        assertThat(record.value()).isEqualTo("{\"orderId\":1,\"cents\":1250}");
        assertThat(traceParent).contains(request.getTraceId()).doesNotContain(request.getSpanId());

        Await.until(
                "the deliveries are over", () -> SPANS.getFinishedSpanItems().size() >= 3);
        List<SpanData> spans = SPANS.getFinishedSpanItems();
        assertThat(spans).extracting(SpanData::getTraceId).containsOnly(request.getTraceId());
        // The record names the span that sent it, so that its consumer's spans become children of that span.
        assertThat(spans).extracting(SpanData::getSpanId).anyMatch(traceParent::contains);
    }

    private static SpanData span(String name) {
        return SPANS.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " in " + SPANS.getFinishedSpanItems()));
    }

    private static ConsumerRecord<String, String> firstRecord(String topic) {
        Map<String, Object> properties = new HashMap<>(DevServices.kafka().clientProperties());
        properties.put("group.id", "trace-it");
        properties.put("auto.offset.reset", "earliest");
        properties.put("metadata.max.age.ms", "200");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            List<ConsumerRecord<String, String>> records = Await.nonEmpty("a record is there", () -> {
                List<ConsumerRecord<String, String>> polled = new ArrayList<>();
                consumer.poll(Duration.ofMillis(200)).forEach(polled::add);
                return polled;
            });
            return records.get(0);
        }
    }
}
