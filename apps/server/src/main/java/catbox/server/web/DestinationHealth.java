package catbox.server.web;

import catbox.server.engine.Source;
import catbox.server.engine.SourceWatch.DestinationState;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import outbox.relay.config.DestinationPlan;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;

/** How the destinations of a source are, as its relay has found them. They come and go as the file changes. */
final class DestinationHealth implements CompositeHealthContributor {

    private final Source source;

    DestinationHealth(Source source) {
        this.source = source;
    }

    @Override
    public @Nullable HealthContributor getContributor(String name) {
        DestinationPlan plan = source.destinations().get(name);
        return plan == null ? null : (HealthIndicator) () -> health(plan);
    }

    @Override
    public Stream<Entry> stream() {
        return new TreeSet<>(source.destinations().keySet())
                .stream().map(name -> new Entry(name, (HealthIndicator) () -> health(name)));
    }

    private Health health(String name) {
        DestinationPlan plan = source.destinations().get(name);
        return plan == null ? Health.unknown().build() : health(plan);
    }

    private Health health(DestinationPlan plan) {
        DestinationState state = source.watch().destination(plan.name());
        Health.Builder health = state.breaker() == State.CLOSED ? Health.up() : Health.down();
        health.withDetail("kind", plan.kind());
        health.withDetail(
                "breaker", state.breaker().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        if (plan.paused()) {
            health.withDetail("paused", true);
        }
        if (state.lastError() != null) {
            health.withDetail("lastError", state.lastError());
        }
        return health.build();
    }
}
