package outbox.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import outbox.relay.Relay;
import outbox.relay.internal.deliver.DestinationGate;

/** Asks the relay when somebody reads. Without a relay, or for a destination that was removed, there is no figure. */
final class RelayGauges {

    private final MeterRegistry registry;
    private final Tags source;
    private final Set<Shown> shown = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Relay bound; // written by whoever binds

    private record Shown(String name, Tags tags) {}

    RelayGauges(MeterRegistry registry, Tags source) {
        this.registry = registry;
        this.source = source;
    }

    void bind(Relay relay) {
        bound = relay;
        gauge(
                "outbox.cluster.slots",
                source,
                one -> one.node().isMember() ? one.node().slots().size() : 0);
        gauge("outbox.order.events", source, one -> one.node().eventsInMemory());
        relay.gates().names().forEach(this::show);
    }

    void show(String destination) {
        Tags tags = source.and("destination", destination);
        gauge(
                "outbox.deliver.breaker",
                tags,
                one -> gate(one, destination)
                        .map(gate -> switch (gate.breakerState()) {
                            case CLOSED -> 0.0;
                            case HALF_OPEN -> 1.0;
                            case OPEN -> 2.0;
                        })
                        .orElse(Double.NaN));
        gauge(
                "outbox.deliver.destination.up",
                tags,
                one -> gate(one, destination)
                        .map(gate -> switch (gate.status().state()) {
                            case UP -> 1.0;
                            case DOWN -> 0.0;
                            case UNKNOWN -> Double.NaN;
                        })
                        .orElse(Double.NaN));
        gauge(
                "outbox.deliver.destination.down.seconds",
                tags,
                one -> gate(one, destination).map(DestinationGate::secondsDown).orElse(Double.NaN));
        gauge(
                "outbox.deliver.destination.next.probe.seconds",
                tags,
                one -> gate(one, destination)
                        .map(DestinationGate::secondsUntilProbe)
                        .orElse(Double.NaN));
        gauge(
                "outbox.deliver.addresses.unavailable",
                tags,
                one -> gate(one, destination)
                        .map(gate -> (double) gate.status().addresses().size())
                        .orElse(Double.NaN));
        gauge(
                "outbox.deliver.underway",
                tags,
                one -> gate(one, destination)
                        .map(gate -> (double) gate.eventsUnderWay())
                        .orElse(Double.NaN));
    }

    private static Optional<DestinationGate> gate(Relay relay, String destination) {
        return relay.gates().all().stream()
                .filter(gate -> gate.name().equals(destination))
                .findFirst();
    }

    // Once is enough: it asks whichever relay is bound.
    private void gauge(String name, Tags tags, ToDoubleFunction<Relay> figure) {
        if (shown.add(new Shown(name, tags))) {
            Gauge.builder(name, this, gauges -> gauges.figure(figure))
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        }
    }

    private double figure(ToDoubleFunction<Relay> figure) {
        Relay relay = bound;
        return relay == null ? Double.NaN : figure.applyAsDouble(relay);
    }
}
