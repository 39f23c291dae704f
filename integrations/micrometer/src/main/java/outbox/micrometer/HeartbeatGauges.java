package outbox.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Gauges that show whether this node is alive, as its own heartbeats report it. */
final class HeartbeatGauges {

    private final Clock clock;
    private volatile int members; // as of the last heartbeat; written by the heartbeat thread
    private volatile long lastHeartbeatNanos; // written by the heartbeat thread
    private volatile boolean everConnected; // written by the heartbeat thread
    private volatile boolean connected; // written by the heartbeat thread
    private volatile int missing; // reported only when it changes; written by the heartbeat thread

    HeartbeatGauges(MeterRegistry registry, Tags source) {
        this.clock = registry.config().clock();
        gauge(registry, source, "outbox.cluster.members", () -> whileConnected(members));
        gauge(registry, source, "outbox.cluster.members.missing", () -> whileConnected(missing));
        gauge(registry, source, "outbox.cluster.connected", () -> connected ? 1 : 0);
        TimeGauge.builder("outbox.cluster.heartbeat.age", this::ageNanos, TimeUnit.NANOSECONDS)
                .tags(source)
                .strongReference(true)
                .register(registry);
    }

    private static void gauge(MeterRegistry registry, Tags source, String name, Supplier<Number> figure) {
        Gauge.builder(name, figure).tags(source).strongReference(true).register(registry);
    }

    void heartbeatSent(int liveMembers) {
        lastHeartbeatNanos = clock.monotonicTime();
        everConnected = true;
        members = liveMembers;
        connected = true;
    }

    void missing(int nodes) {
        missing = nodes;
    }

    /** Called when the node is no member or its heartbeats fail: which nodes are alive is unknown then. */
    void disconnected() {
        connected = false;
    }

    private int whileConnected(int nodes) {
        return connected ? nodes : 0;
    }

    private double ageNanos() {
        return everConnected ? clock.monotonicTime() - lastHeartbeatNanos : Double.NaN;
    }
}
