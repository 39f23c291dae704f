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
 * Reports the health of a source: its database, its membership in the cluster, whether every partition has an owner,
 * and whether the threads of its relay are alive. It reads only memory and waits for no database.
 */
final class SourceHealth {

    private final Source source;
    private final TimeSource time;
    private boolean wasComplete; // guarded by this
    private long incompleteSinceNanos; // guarded by this; 0 while complete

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
        if (!(source.state() instanceof Source.State.Running)) {
            return notRunning();
        }
        return source.databaseProblem()
                .map(problem -> Health.down().withDetail("problem", problem))
                .orElseGet(() ->
                        Health.up().withDetail("url", source.plan().database().place()))
                .build();
    }

    Health registry() {
        return source.relay().map(this::registry).orElseGet(this::notRunning);
    }

    private Health registry(Relay relay) {
        Duration timeout = source.plan().relay().config().cluster().timeout();
        Duration age = source.activity().sinceHeartbeat().orElse(null);
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
        source.activity().lastFailure().ifPresent(failure -> health.withDetail("problem", failure));
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
        List<ClusterView.PartitionState> partitions = Optional.ofNullable(
                        relay.status().cluster())
                .map(ClusterView::partitions)
                .orElse(List.of());
        List<Integer> free = partitions.stream()
                .filter(partition -> partition.owner() == null)
                .map(ClusterView.PartitionState::partition)
                .toList();
        Health.Builder health = status(!partitions.isEmpty() && free.isEmpty());
        health.withDetail("partitions", partitions.size());
        health.withDetail("own", List.copyOf(relay.status().partitions()));
        if (!free.isEmpty()) {
            health.withDetail("withoutOwner", free);
        }
        return health.build();
    }

    /** A partition that changes its owner has none for a moment, which is normal. */
    private synchronized Health.Builder status(boolean complete) {
        long now = time.nanoTime();
        if (complete) {
            wasComplete = true;
            incompleteSinceNanos = 0;
            return Health.up();
        }
        if (!wasComplete) {
            return Health.outOfService().withDetail("problem", "the partitions are being claimed");
        }
        if (incompleteSinceNanos == 0) {
            incompleteSinceNanos = now;
        }
        Duration timeout = source.plan().relay().config().cluster().timeout();
        return now - incompleteSinceNanos < timeout.multipliedBy(2).toNanos() ? Health.up() : Health.down();
    }

    Health threads() {
        List<String> ended = source.endedThreads();
        return ended.isEmpty()
                ? Health.up().build()
                : Health.down()
                        .withDetail(
                                "problem", "threads of the relay have ended: restart this process, and check its log")
                        .withDetail("ended", ended)
                        .build();
    }

    private Health notRunning() {
        return switch (source.state()) {
            case Source.State.Disabled disabled ->
                Health.up().withDetail("enabled", false).build();
            case Source.State.Connecting(String problem) ->
                Health.down()
                        .withDetail("problem", problem == null ? "the source is not connected yet" : problem)
                        .build();
            case Source.State.Stopped stopped ->
                Health.outOfService()
                        .withDetail("problem", "the source is stopped")
                        .build();
            case Source.State.Running running -> Health.up().build();
        };
    }
}
