package outbox.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import outbox.spi.MetricsExporter;

/** Meters of one outbox's dispatcher and poller. */
public final class MicrometerMetrics implements MetricsExporter {

    private final Counter hot;
    private final Counter cold;
    private final Counter rejected;
    private final Counter done;
    private final Counter retry;
    private final Counter dead;
    private final AtomicInteger hotDepth = new AtomicInteger();
    private final AtomicInteger coldDepth = new AtomicInteger();
    private final AtomicLong lagMillis = new AtomicLong();

    /**
     * Registers all meters at once, so that they exist before the first event.
     *
     * @param source the outbox's name among others of the same registry
     */
    public MicrometerMetrics(MeterRegistry registry, String source) {
        String claimed = "outbox.dispatcher.claimed";
        String settled = "outbox.dispatcher.settled";
        this.hot = registry.counter(claimed, "source", source, "path", "hot");
        this.cold = registry.counter(claimed, "source", source, "path", "cold");
        this.rejected = registry.counter("outbox.dispatcher.queue.rejected", "source", source);
        this.done = registry.counter(settled, "source", source, "outcome", "done");
        this.retry = registry.counter(settled, "source", source, "outcome", "retry");
        this.dead = registry.counter(settled, "source", source, "outcome", "dead");
        depth(registry, source, "hot", hotDepth);
        depth(registry, source, "cold", coldDepth);
        TimeGauge.builder("outbox.dispatcher.lag", lagMillis::get, TimeUnit.MILLISECONDS)
                .tag("source", source)
                .register(registry);
    }

    private static void depth(MeterRegistry registry, String source, String path, AtomicInteger depth) {
        Gauge.builder("outbox.dispatcher.queued", depth::get)
                .tag("source", source)
                .tag("path", path)
                .register(registry);
    }

    @Override
    public void incrementHotEnqueued() {
        hot.increment();
    }

    @Override
    public void incrementHotDropped() {
        rejected.increment();
    }

    @Override
    public void incrementColdEnqueued() {
        cold.increment();
    }

    @Override
    public void incrementDispatchSuccess() {
        done.increment();
    }

    @Override
    public void incrementDispatchFailure() {
        retry.increment();
    }

    @Override
    public void incrementDispatchDead() {
        dead.increment();
    }

    @Override
    public void recordQueueDepths(int hotEvents, int coldEvents) {
        hotDepth.set(hotEvents);
        coldDepth.set(coldEvents);
    }

    @Override
    public void recordOldestLagMs(long lagMs) {
        lagMillis.set(lagMs);
    }
}
