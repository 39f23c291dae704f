package outbox.relay;

import java.time.Duration;
import outbox.spi.relay.Member;

/**
 * The settings of a node in its cluster.
 *
 * @param nodeId its name, for people; two nodes may share a name, because each start of a process has its own session
 * @param weight its share of the partitions, relative to the others; 0 for none; default 1
 * @param heartbeat the interval of its heartbeats; default 1 s
 * @param timeout the time after its last heartbeat when other nodes may take its partitions; default 10 s
 * @param drain how long a partition that moves may take to finish the deliveries in flight; default 10 s
 */
public record ClusterConfig(String nodeId, int weight, Duration heartbeat, Duration timeout, Duration drain) {

    public ClusterConfig {
        if (nodeId.isBlank() || nodeId.length() > 128) {
            throw new IllegalArgumentException("nodeId must have 1 to 128 characters, was \"" + nodeId + "\"");
        }
        if (weight < 0 || weight > Member.WEIGHT_MAX) {
            throw new IllegalArgumentException("weight must be from 0 to " + Member.WEIGHT_MAX + ", was " + weight);
        }
        if (heartbeat.compareTo(Duration.ofMillis(10)) < 0 || heartbeat.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("heartbeat must be from 10 ms to 1 h, was " + heartbeat);
        }
        if (timeout.compareTo(heartbeat.multipliedBy(3)) < 0 || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("timeout must be at least three heartbeats (" + heartbeat.multipliedBy(3)
                    + "), so that a late heartbeat does not end the node, and at most a day; was " + timeout);
        }
        if (drain.isNegative() || drain.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("drain must be from 0 to 1 h, was " + drain);
        }
    }

    public static ClusterConfig of(String nodeId) {
        return new ClusterConfig(nodeId, 1, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    public ClusterConfig withWeight(int value) {
        return new ClusterConfig(nodeId, value, heartbeat, timeout, drain);
    }

    public ClusterConfig withHeartbeat(Duration every, Duration timeoutAfter) {
        return new ClusterConfig(nodeId, weight, every, timeoutAfter, drain);
    }

    public ClusterConfig withDrain(Duration value) {
        return new ClusterConfig(nodeId, weight, heartbeat, timeout, value);
    }
}
