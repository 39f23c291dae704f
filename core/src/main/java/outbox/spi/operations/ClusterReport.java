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
 * The relays of a table as an operator sees them, all by the store's clock.
 *
 * @param terms what the relays agree on; null when none has ever worked here
 * @param partitionsWanted the number that the cluster is changing to; null when it is not
 * @param nodes those that live, and those that expired and are not forgotten yet, by name
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
     * @param interval how often it is to beat; zero when it has not said so
     * @param ready whether it may be given partitions
     */
    public record Node(
            Member member, Instant joinedAt, Instant heartbeatAt, Instant expiresAt, Duration interval, boolean ready) {

        public boolean isAlive(Instant now) {
            return expiresAt.isAfter(now);
        }

        /** Whether it has been silent for so long that people should know, and may still come back. */
        public boolean isMissing(Instant now) {
            return isAlive(now)
                    && !interval.isZero()
                    && !heartbeatAt
                            .plus(interval.multipliedBy(Heartbeat.MISSING_AFTER))
                            .isAfter(now);
        }
    }

    /**
     * One slot.
     *
     * @param owner the session of its live owner; null when it has none
     * @param changedAt when its owner took it, or when the last one gave it back; null when it never had one
     */
    public record Partition(
            int partition,
            long epoch,
            @Nullable String owner,
            @Nullable Instant changedAt) {}
}
