package catbox.server.web;

import catbox.server.engine.Source;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import outbox.relay.DestinationStatus;
import outbox.relay.config.DestinationSettings;

/** Reports the state of each destination of a source, as its relay knows it. A reload can change the destinations. */
final class DestinationHealth implements CompositeHealthContributor {

    private final Source source;

    DestinationHealth(Source source) {
        this.source = source;
    }

    @Override
    public @Nullable HealthContributor getContributor(String name) {
        DestinationSettings plan = source.destinations().get(name);
        return plan == null ? null : (HealthIndicator) () -> health(plan);
    }

    @Override
    public Stream<Entry> stream() {
        return new TreeSet<>(source.destinations().keySet())
                .stream().map(name -> new Entry(name, (HealthIndicator) () -> health(name)));
    }

    private Health health(String name) {
        DestinationSettings plan = source.destinations().get(name);
        return plan == null ? Health.unknown().build() : health(plan);
    }

    private Health health(DestinationSettings plan) {
        DestinationStatus status = source.relay()
                .map(relay -> relay.status().destinations().get(plan.name()))
                .orElse(DestinationStatus.NOT_CONTACTED);
        return health(plan, status);
    }

    static Health health(DestinationSettings plan, DestinationStatus status) {
        Health.Builder health = switch (status.state()) {
            case UP -> Health.up();
            case DOWN -> Health.down();
            case UNKNOWN -> Health.unknown();
        };
        health.withDetail("kind", plan.kind());
        if (plan.paused()) {
            health.withDetail("paused", true);
        }
        if (status.since() != null) {
            health.withDetail("downSince", status.since());
        }
        if (status.nextProbe() != null) {
            health.withDetail("nextProbe", status.nextProbe());
        }
        if (status.lastError() != null) {
            health.withDetail("lastError", status.lastError());
        }
        if (!status.addresses().isEmpty()) {
            health.withDetail("unavailableAddresses", status.addresses());
        }
        return health.build();
    }
}
