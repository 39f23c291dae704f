package outbox.spi.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;

/**
 * The relays of a table as an operator sees them, with times by the store's clock.
 *
 * @param terms the layout that the relays agree on; null when none has used the table yet
 * @param partitionsWanted the number that the cluster is changing to; null without a change
 * @param nodes the live nodes, and expired ones that are not removed yet, by name
 * @param partitions every partition, by number; empty with {@link ClaimStrategy#LEASE}
 */
public record ClusterReport(
        Instant now,
        @Nullable ClusterLayout terms,
        @Nullable Integer partitionsWanted,
        List<Node> nodes,
        List<Partition> partitions) {

    public ClusterReport {
        nodes = List.copyOf(nodes);
        partitions = List.copyOf(partitions);
    }

    /**
     * One start of one relay.
     *
     * @param interval the interval of its heartbeats; zero when unknown
     * @param ready whether it may be given partitions
     */
    public record Node(
            Member member, Instant joinedAt, Instant heartbeatAt, Instant expiresAt, Duration interval, boolean ready) {

        public boolean isAlive(Instant now) {
            return expiresAt.isAfter(now);
        }

        /** Whether it has missed enough heartbeats that operators should know, and is still alive. */
        public boolean isMissing(Instant now) {
            return isAlive(now)
                    && !interval.isZero()
                    && !heartbeatAt
                            .plus(interval.multipliedBy(Heartbeat.MISSING_AFTER))
                            .isAfter(now);
        }
    }

    /**
     * One partition.
     *
     * @param owner the session of its live owner; null when it has none
     * @param changedAt when its owner acquired it, or when the last one released it; null when it never had one
     */
    public record Partition(
            int partition,
            long epoch,
            @Nullable String owner,
            @Nullable Instant changedAt) {}
}
