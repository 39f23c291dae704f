package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.TimeSource;

/** Checks what a check has prepared, so that a node that joins a cluster delivers immediately. */
@Timeout(120)
final class KafkaCheckIT {

    private static final Duration SOON = Duration.ofSeconds(2);

    private final Cluster cluster = Cluster.plain();
    private final String name = "check-" + Ulids.SYSTEM.next();

    @Test
    void connectsTheProducerWhereTheTopicDependsOnTheEvent() throws Exception {
        cluster.createTopic(name, 1, Map.of());
        try (Destination destination = destination(Map.of("topic", "{eventType}"))) {
            ((Checkable) destination).check(Duration.ofSeconds(30));

            assertThat(answersToProducer()).isPositive();
            deliversItsFirstEventSoon(destination);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void theFirstEventIsDeliveredAtTheFirstAttempt(String transactional) {
        cluster.createTopic(name, 1, Map.of());
        Map<String, String> settings =
                Map.of("topic", name, "transactional", transactional, "transactional-id-prefix", name);
        try (Destination destination = destination(settings)) {
            ((Checkable) destination).check(Duration.ofSeconds(30));

            deliversItsFirstEventSoon(destination);
        }
    }

    private Destination destination(Map<String, String> settings) {
        Map<String, String> client = new HashMap<>(cluster.broker().clientProperties());
        client.put("metric.reporters", "org.apache.kafka.common.metrics.JmxReporter");
        return Cluster.destination(name, client, settings);
    }

    private double answersToProducer() throws Exception {
        ObjectName bean = new ObjectName("kafka.producer:type=producer-metrics,client-id=" + name);
        return (double) ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "response-total");
    }

    private void deliversItsFirstEventSoon(Destination destination) {
        EventEnvelope event = EventEnvelope.builder(name).payloadJson("{}").build();
        long start = TimeSource.SYSTEM.nanoTime();

        Outcome outcome = Outcomes.of(destination, List.of(new Delivery(event, 1, null, 0)))
                .get(0);

        assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
        assertThat(Duration.ofNanos(TimeSource.SYSTEM.nanoTime() - start)).isLessThan(SOON);
    }
}
