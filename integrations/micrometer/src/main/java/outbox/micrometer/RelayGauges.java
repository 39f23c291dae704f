package outbox.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import outbox.relay.DestinationStatus;
import outbox.relay.Relay;
import outbox.relay.RelayStatus;

/** Gauges that ask the relay when they are read: NaN without a relay and for a removed destination. */
final class RelayGauges {

    private final MeterRegistry registry;
    private final Tags source;
    private final Set<Shown> shown = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Relay bound; // written by the thread that binds

    private record Shown(String name, Tags tags) {}

    RelayGauges(MeterRegistry registry, Tags source) {
        this.registry = registry;
        this.source = source;
    }

    void bind(Relay relay) {
        bound = relay;
        gauge(
                "outbox.cluster.partitions",
                source,
                status -> status.member() ? status.partitions().size() : 0);
        gauge("outbox.order.events", source, RelayStatus::eventsInMemory);
        relay.status().destinations().keySet().forEach(this::show);
    }

    void show(String destination) {
        gauge("outbox.deliver.breaker", destination, (status, at) -> switch (status.breaker()) {
            case CLOSED -> 0.0;
            case HALF_OPEN -> 1.0;
            case OPEN -> 2.0;
        });
        gauge("outbox.deliver.destination.up", destination, (status, at) -> switch (status.state()) {
            case UP -> 1.0;
            case DOWN -> 0.0;
            case UNKNOWN -> Double.NaN;
        });
        gauge(
                "outbox.deliver.destination.down.seconds",
                destination,
                (status, at) -> status.since() == null ? 0 : seconds(status.since(), at));
        gauge(
                "outbox.deliver.destination.next.probe.seconds",
                destination,
                (status, at) -> status.nextProbe() == null ? Double.NaN : Math.max(0, seconds(at, status.nextProbe())));
        gauge(
                "outbox.deliver.addresses.unavailable",
                destination,
                (status, at) -> status.addresses().size());
        gauge("outbox.deliver.inflight", destination, (status, at) -> status.eventsInFlight());
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1e3;
    }

    private void gauge(String name, String destination, ToDoubleBiFunction<DestinationStatus, Instant> figure) {
        gauge(name, source.and("destination", destination), status -> {
            DestinationStatus one = status.destinations().get(destination);
            return one == null ? Double.NaN : figure.applyAsDouble(one, status.at());
        });
    }

    // Registering once is enough: the gauge asks the relay that is bound when it is read.
    private void gauge(String name, Tags tags, ToDoubleFunction<RelayStatus> figure) {
        if (shown.add(new Shown(name, tags))) {
            Gauge.builder(name, this, gauges -> gauges.figure(figure))
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        }
    }

    private double figure(ToDoubleFunction<RelayStatus> figure) {
        Relay relay = bound;
        return relay == null ? Double.NaN : figure.applyAsDouble(relay.status());
    }
}
