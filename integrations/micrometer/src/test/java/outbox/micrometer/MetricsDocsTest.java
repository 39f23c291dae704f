package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.relay.observe.RelayEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;
import outbox.testkit.NoopDestination;

/** Checks that the table of meters in the docs lists every meter with its type and labels, and no other. */
class MetricsDocsTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(outbox\\.[a-z.]+)` \\| ([a-z ]+) \\| ([a-z, ]*?) ?\\| (\\S.*) \\|$");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void listsEveryMeterWithItsTypeAndLabels() throws IOException {
        makeEveryMeter();
        Set<String> documented = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(page()));
        while (row.find()) {
            assertThat(documented.add(row.group(1) + " | " + row.group(2) + " | " + row.group(3)))
                    .describedAs("%s is documented once", row.group(1))
                    .isTrue();
        }
        assertThat(meters()).containsExactlyElementsOf(documented);
    }

    @Test
    void samplesIncludeEveryRelayEvent() {
        Set<Class<?>> sampled = SampleEvents.withIdAndKey("event-1", "key-1").stream()
                .map(Object::getClass)
                .collect(Collectors.toSet());
        assertThat(sampled).containsExactlyInAnyOrder(RelayEvent.class.getPermittedSubclasses());
    }

    private void makeEveryMeter() {
        new MicrometerMetrics(registry, "orders");
        RelayMeters relayMeters = new RelayMeters(registry, "orders");
        SampleEvents.withIdAndKey("event-1", "key-1").forEach(relayMeters::on);
        try (OneRelay one = new OneRelay(relayMeters, "kafka-main")) {
            assertThat(one.relay.status().destinations()).containsOnlyKeys("kafka-main");
        }
        new StatisticsMeters(sampleMax -> figures(), "orders", Duration.ofSeconds(15)).bindTo(registry);
        Eventually.until(
                "there are figures",
                () -> !registry.find("outbox.store.latency.max").gauges().isEmpty());
        observe();
    }

    private void observe() {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        EventEnvelope event =
                EventEnvelope.builder("OrderPlaced").payloadJson("{}").build();
        new PublishObservation(observations).prepare(event);
        ObservedDestination.around(new NoopDestination(), "kafka-main", observations)
                .deliver(List.of(new Delivery(event, 1)), (index, outcome) -> {});
    }

    private Set<String> meters() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName() + " | " + typeOf(id) + " | "
                        + id.getTags().stream().map(Tag::getKey).sorted().collect(Collectors.joining(", ")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String typeOf(Meter.Id id) {
        return Arrays.stream(id.getType().name().split("_"))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }

    private static OutboxStatistics figures() {
        return new OutboxStatistics(
                new BoundedCount(0, false),
                null,
                new BoundedCount(0, false),
                new OutboxStatistics.Settled(
                        1,
                        0,
                        0,
                        List.of(new OutboxStatistics.TypeLatency(
                                "OrderPlaced", 1, Duration.ofMillis(1), Duration.ofMillis(1)))));
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("catbox"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/reference/metrics.md");
    }
}
