package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMetrics metrics = new MicrometerMetrics(registry, "orders");

    @Test
    void countsHandOversByTheirPath() {
        metrics.incrementHotEnqueued();
        metrics.incrementHotEnqueued();
        metrics.incrementColdEnqueued();
        metrics.incrementHotDropped();

        assertThat(counter("outbox.dispatcher.claimed", "path", "hot")).isEqualTo(2);
        assertThat(counter("outbox.dispatcher.claimed", "path", "cold")).isEqualTo(1);
        assertThat(counter("outbox.dispatcher.queue.rejected")).isEqualTo(1);
    }

    @Test
    void countsSettlementsByTheirOutcome() {
        metrics.incrementDispatchSuccess();
        metrics.incrementDispatchFailure();
        metrics.incrementDispatchFailure();
        metrics.incrementDispatchDead();

        assertThat(counter("outbox.dispatcher.settled", "outcome", "done")).isEqualTo(1);
        assertThat(counter("outbox.dispatcher.settled", "outcome", "retry")).isEqualTo(2);
        assertThat(counter("outbox.dispatcher.settled", "outcome", "dead")).isEqualTo(1);
    }

    @Test
    void showsTheLastReportedQueuesAndLag() {
        metrics.recordQueueDepths(3, 4);
        metrics.recordOldestLagMs(1_500);

        assertThat(registry.get("outbox.dispatcher.queued")
                        .tags("path", "hot")
                        .gauge()
                        .value())
                .isEqualTo(3);
        assertThat(registry.get("outbox.dispatcher.queued")
                        .tags("path", "cold")
                        .gauge()
                        .value())
                .isEqualTo(4);
        assertThat(registry.get("outbox.dispatcher.lag").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(1.5);
    }

    @Test
    void keepsTwoOutboxesOfOneRegistryApart() {
        MicrometerMetrics other = new MicrometerMetrics(registry, "payments");
        other.incrementHotDropped();

        assertThat(counter("outbox.dispatcher.queue.rejected")).isZero();
        assertThat(registry.get("outbox.dispatcher.queue.rejected")
                        .tags("source", "payments")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags("source", "orders").tags(tags).counter().count();
    }
}
