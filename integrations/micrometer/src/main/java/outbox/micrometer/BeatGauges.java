package outbox.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;

/** Whether this node is alive, as its own heartbeats show it. */
final class BeatGauges {

    private final Clock clock;
    private volatile int members; // written by the beating thread
    private volatile long lastBeatNanos; // written by the beating thread
    private volatile boolean everBeaten; // written by the beating thread
    private volatile boolean connected; // written by the beating thread
    private volatile int missing; // written by the beating thread

    BeatGauges(MeterRegistry registry, Tags source) {
        this.clock = registry.config().clock();
        Gauge.builder("outbox.cluster.members", this, beats -> beats.members)
                .tags(source)
                .strongReference(true)
                .register(registry);
        Gauge.builder("outbox.cluster.members.missing", this, beats -> beats.missing)
                .tags(source)
                .strongReference(true)
                .register(registry);
        Gauge.builder("outbox.cluster.connected", this, beats -> beats.connected ? 1 : 0)
                .tags(source)
                .strongReference(true)
                .register(registry);
        TimeGauge.builder("outbox.cluster.beat.age", this, TimeUnit.NANOSECONDS, BeatGauges::ageNanos)
                .tags(source)
                .strongReference(true)
                .register(registry);
    }

    void beaten(int liveMembers) {
        lastBeatNanos = clock.monotonicTime();
        everBeaten = true;
        members = liveMembers;
        connected = true;
    }

    /** The store does not take heartbeats: who lives is not known any more. */
    void failed() {
        members = 0;
        missing = 0;
        connected = false;
    }

    void missing(int nodes) {
        missing = nodes;
    }

    void left() {
        members = 0;
        missing = 0;
        connected = false;
    }

    private double ageNanos() {
        return everBeaten ? clock.monotonicTime() - lastBeatNanos : Double.NaN;
    }
}
