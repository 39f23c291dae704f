package catbox.server.web;

import catbox.server.engine.Source;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import outbox.relay.Relay;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Member;

/**
 * How a source is: its database, its place in the registry, whether every slot has an owner, and whether the threads of its
 * relay live. Answered from what is known: nothing here waits for a database.
 */
final class SourceHealth {

    private final Source source;
    private final TimeSource time;
    private boolean wasWhole; // guarded by this
    private long brokenSinceNanos; // guarded by this; 0 for not

    SourceHealth(Source source, TimeSource time) {
        this.source = source;
        this.time = time;
    }

    HealthContributor contributor() {
        Map<String, HealthContributor> parts = new LinkedHashMap<>();
        parts.put("database", (HealthIndicator) this::database);
        parts.put("registry", (HealthIndicator) this::registry);
        parts.put("assignment", (HealthIndicator) this::assignment);
        parts.put("threads", (HealthIndicator) this::threads);
        return CompositeHealthContributor.fromMap(parts);
    }

    Health database() {
        return switch (source.state()) {
            case Source.State.Running running ->
                source.databaseProblem()
                        .map(problem -> Health.down().withDetail("problem", problem))
                        .orElseGet(() -> Health.up()
                                .withDetail("url", source.plan().database().place()))
                        .build();
            case Source.State.Connecting connecting -> notRunning();
            case Source.State.Disabled disabled -> notRunning();
            case Source.State.Stopped stopped -> notRunning();
        };
    }

    Health registry() {
        return source.relay().map(this::registry).orElseGet(this::notRunning);
    }

    private Health registry(Relay relay) {
        Duration timeout = source.plan().relay().config().cluster().timeout();
        Duration age = source.watch().sinceBeat().orElse(null);
        List<String> members =
                Optional.ofNullable(relay.status().cluster()).map(ClusterView::members).orElse(List.of()).stream()
                        .map(Member::nodeId)
                        .toList();
        Health.Builder health = age != null && age.compareTo(timeout) < 0 ? Health.up() : Health.down();
        health.withDetail("node", source.plan().relay().config().cluster().nodeId());
        health.withDetail("members", members);
        if (age != null) {
            health.withDetail("lastHeartbeatMillis", age.toMillis());
        }
        source.watch().lastFailure().ifPresent(failure -> health.withDetail("problem", failure));
        return health.build();
    }

    Health assignment() {
        return source.relay().map(this::assignment).orElseGet(this::notRunning);
    }

    private Health assignment(Relay relay) {
        if (!source.plan().relay().config().terms().strategy().usesPartitions()) {
            return Health.up()
                    .withDetail("claim", "rows are claimed one by one")
                    .build();
        }
        List<ClusterView.PartitionState> slots = Optional.ofNullable(
                        relay.status().cluster())
                .map(ClusterView::partitions)
                .orElse(List.of());
        List<Integer> free = slots.stream()
                .filter(slot -> slot.owner() == null)
                .map(ClusterView.PartitionState::partition)
                .toList();
        Health.Builder health = status(!slots.isEmpty() && free.isEmpty());
        health.withDetail("partitions", slots.size());
        health.withDetail("own", List.copyOf(relay.status().partitions()));
        if (!free.isEmpty()) {
            health.withDetail("withoutOwner", free);
        }
        return health.build();
    }

    /** Partitions that change hands have no owner for a moment, which is nothing to worry about. */
    private synchronized Health.Builder status(boolean whole) {
        long now = time.nanoTime();
        if (whole) {
            wasWhole = true;
            brokenSinceNanos = 0;
            return Health.up();
        }
        if (!wasWhole) {
            return Health.outOfService().withDetail("problem", "the partitions are being taken");
        }
        if (brokenSinceNanos == 0) {
            brokenSinceNanos = now;
        }
        Duration timeout = source.plan().relay().config().cluster().timeout();
        return now - brokenSinceNanos < timeout.multipliedBy(2).toNanos() ? Health.up() : Health.down();
    }

    Health threads() {
        List<String> ended = source.endedThreads();
        return ended.isEmpty()
                ? Health.up().build()
                : Health.down()
                        .withDetail("problem", "threads of the relay have ended: restart this process, and see its log")
                        .withDetail("ended", ended)
                        .build();
    }

    private Health notRunning() {
        return switch (source.state()) {
            case Source.State.Disabled disabled ->
                Health.up().withDetail("enabled", false).build();
            case Source.State.Connecting(String problem) ->
                Health.down()
                        .withDetail("problem", problem == null ? "the source has not been connected to yet" : problem)
                        .build();
            case Source.State.Stopped stopped ->
                Health.outOfService()
                        .withDetail("problem", "the source is stopped")
                        .build();
            case Source.State.Running running -> Health.up().build();
        };
    }
}
