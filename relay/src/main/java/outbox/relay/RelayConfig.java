package outbox.relay;

import java.time.Duration;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;

/**
 * The settings of a relay. All nodes of one table must have the same terms; each node has its own values for the rest.
 *
 * @param terms the claim strategy and the number of partitions; default partitioned, 6
 * @param cluster the settings of this node in the cluster
 * @param claim how many events are read and kept in memory, and how often the store is polled
 * @param settle the settings for retries and dead events
 */
public record RelayConfig(ClusterLayout terms, ClusterConfig cluster, ClaimConfig claim, SettleConfig settle) {

    public static final int PARTITIONS_DEFAULT = 6;

    public static RelayConfig of(String nodeId) {
        return new RelayConfig(
                new ClusterLayout(ClaimStrategy.PARTITIONED, PARTITIONS_DEFAULT),
                ClusterConfig.of(nodeId),
                ClaimConfig.defaults(),
                SettleConfig.defaults());
    }

    public RelayConfig withStrategy(ClaimStrategy strategy) {
        return new RelayConfig(new ClusterLayout(strategy, terms.partitions()), cluster, claim, settle);
    }

    public RelayConfig withPartitions(int partitions) {
        return new RelayConfig(new ClusterLayout(terms.strategy(), partitions), cluster, claim, settle);
    }

    public RelayConfig withCluster(ClusterConfig value) {
        return new RelayConfig(terms, value, claim, settle);
    }

    public RelayConfig withClaim(ClaimConfig value) {
        return new RelayConfig(terms, cluster, value, settle);
    }

    public RelayConfig withSettle(SettleConfig value) {
        return new RelayConfig(terms, cluster, claim, value);
    }

    /**
     * Sets how many events are read and kept in memory, and how often the store is polled.
     *
     * @param fetchMax the most events of one fetch; default 1,000
     * @param eventsMax the most events that a node keeps in memory; default 12,000
     * @param bytesMax the most bytes of these events; default 32 MiB
     * @param pollMax the longest time between two polls; default 1 s
     * @param lease how long a claim lasts with {@link ClaimStrategy#LEASE}; renewed while its node lives; default 5
     *     minutes
     */
    public record ClaimConfig(
            int fetchMax,
            int eventsMax,
            long bytesMax,
            Duration pollMax,
            Duration lease,
            int eventsPerLaneMax,
            int lanesSkippedMax) {

        private static final int EVENTS_PER_LANE_MAX = 1_000;
        private static final int LANES_SKIPPED_MAX = 10_000;

        public ClaimConfig {
            if (fetchMax < 1 || fetchMax > 10_000) {
                throw new IllegalArgumentException("fetchMax must be from 1 to 10000, was " + fetchMax);
            }
            if (eventsMax < fetchMax || eventsMax > 1_000_000) {
                throw new IllegalArgumentException(
                        "eventsMax must be from fetchMax (" + fetchMax + ") to 1000000, was " + eventsMax);
            }
            if (bytesMax < 1 << 20) {
                throw new IllegalArgumentException("bytesMax must be at least 1 MiB (1048576), was " + bytesMax);
            }
            if (pollMax.compareTo(Duration.ofMillis(10)) < 0 || pollMax.compareTo(Duration.ofHours(1)) > 0) {
                throw new IllegalArgumentException("pollMax must be from 10 ms to 1 h, was " + pollMax);
            }
            if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("lease must be from 1 s to 1 day, was " + lease);
            }
            if (eventsPerLaneMax < 1 || lanesSkippedMax < 1) {
                throw new IllegalArgumentException("eventsPerLaneMax and lanesSkippedMax must be at least 1, were "
                        + eventsPerLaneMax + " and " + lanesSkippedMax);
            }
        }

        public ClaimConfig(int fetchMax, int eventsMax, long bytesMax, Duration pollMax, Duration lease) {
            this(fetchMax, eventsMax, bytesMax, pollMax, lease, EVENTS_PER_LANE_MAX, LANES_SKIPPED_MAX);
        }

        public static ClaimConfig defaults() {
            return new ClaimConfig(1_000, 12_000, 32L << 20, Duration.ofSeconds(1), Duration.ofMinutes(5));
        }

        public ClaimConfig withFetchMax(int value) {
            return new ClaimConfig(
                    value, Math.max(eventsMax, value), bytesMax, pollMax, lease, eventsPerLaneMax, lanesSkippedMax);
        }

        public ClaimConfig withMemory(int events, long bytes) {
            return new ClaimConfig(
                    Math.min(fetchMax, events), events, bytes, pollMax, lease, eventsPerLaneMax, lanesSkippedMax);
        }

        public ClaimConfig withPollMax(Duration value) {
            return new ClaimConfig(fetchMax, eventsMax, bytesMax, value, lease, eventsPerLaneMax, lanesSkippedMax);
        }

        public ClaimConfig withLease(Duration value) {
            return new ClaimConfig(fetchMax, eventsMax, bytesMax, pollMax, value, eventsPerLaneMax, lanesSkippedMax);
        }

        /** Sets how many events of one key are in memory, and how many keys may wait outside of it. */
        public ClaimConfig withLanes(int eventsEach, int skipped) {
            return new ClaimConfig(fetchMax, eventsMax, bytesMax, pollMax, lease, eventsEach, skipped);
        }
    }
}
