package outbox.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;

/** Whether this node is alive, as its own heartbeats show it. */
final class HeartbeatGauges {

    private final Clock clock;
    private volatile int members; // as of the last heartbeat; written by the beating thread
    private volatile long lastBeatNanos; // written by the beating thread
    private volatile boolean everBeaten; // written by the beating thread
    private volatile boolean connected; // written by the beating thread
    private volatile int missing; // reported only when it changes; written by the beating thread

    HeartbeatGauges(MeterRegistry registry, Tags source) {
        this.clock = registry.config().clock();
        Gauge.builder("outbox.cluster.members", this, beats -> beats.known(beats.members))
                .tags(source)
                .strongReference(true)
                .register(registry);
        Gauge.builder("outbox.cluster.members.missing", this, beats -> beats.known(beats.missing))
                .tags(source)
                .strongReference(true)
                .register(registry);
        Gauge.builder("outbox.cluster.connected", this, beats -> beats.connected ? 1 : 0)
                .tags(source)
                .strongReference(true)
                .register(registry);
        TimeGauge.builder("outbox.cluster.beat.age", this, TimeUnit.NANOSECONDS, HeartbeatGauges::ageNanos)
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

    void missing(int nodes) {
        missing = nodes;
    }

    /** The node is no member, or the store does not take its heartbeats: who lives is not known until the next one. */
    void disconnected() {
        connected = false;
    }

    private int known(int nodes) {
        return connected ? nodes : 0;
    }

    private double ageNanos() {
        return everBeaten ? clock.monotonicTime() - lastBeatNanos : Double.NaN;
    }
}
