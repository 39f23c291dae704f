package outbox.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.jspecify.annotations.Nullable;

/**
 * Determines why a producer has given up records after a timeout, as far as their partitions are the cause. The
 * producer only reports that they were not sent, or not answered. The cluster's metadata may show nothing either: a
 * broker that only this client cannot reach stays the leader with all its replicas.
 */
final class LateReasons {

    /** Limits each request. A relay waits 35 seconds for an outcome, of which the producer has used 20. */
    static final Duration CHECK_MAX = Duration.ofSeconds(2);

    private final Function<String, List<PartitionInfo>> partitions;
    private final ToIntFunction<String> replicasMin;

    /**
     * Sends no request yet.
     *
     * @param partitions of a topic; throws a {@link KafkaException} when the whole topic is unusable
     * @param replicasMin the number of replicas of a topic that must be in sync; 0 when unknown
     */
    LateReasons(Function<String, List<PartitionInfo>> partitions, ToIntFunction<String> replicasMin) {
        this.partitions = partitions;
        this.replicasMin = replicasMin;
    }

    /**
     * Returns the problems of the topic's partitions, by partition number. It checks each leader and the topic's
     * settings once.
     *
     * @throws KafkaException when the whole topic is unusable, or the cluster does not answer
     */
    Map<Integer, Exception> of(String topic) {
        List<PartitionInfo> all = partitions.apply(topic);
        Map<Node, CompletableFuture<Void>> connections = new HashMap<>();
        for (PartitionInfo partition : all) {
            if (TopicProbe.hasLeader(partition)) {
                connections.computeIfAbsent(partition.leader(), LateReasons::connection);
            }
        }
        int min = all.stream().anyMatch(LateReasons::lacksReplicas) ? replicasMin.applyAsInt(topic) : 0;
        Map<Integer, Exception> reasons = new HashMap<>();
        for (PartitionInfo partition : all) {
            Exception reason = reason(partition, connections.get(partition.leader()), min);
            if (reason != null) {
                reasons.put(partition.partition(), reason);
            }
        }
        return reasons;
    }

    private static @Nullable Exception reason(
            PartitionInfo partition, @Nullable CompletableFuture<Void> connection, int replicasMin) {
        String name = "partition " + partition.topic() + "-" + partition.partition();
        if (connection == null) {
            return new LeaderNotAvailableException(name + " has no leader");
        }
        try {
            connection.join();
        } catch (CompletionException e) {
            return new LeaderNotAvailableException(
                    name + " has a leader that this host cannot reach, " + partition.leader() + ": " + e.getCause());
        }
        int inSync = partition.inSyncReplicas().length;
        return lacksReplicas(partition) && inSync < replicasMin
                ? new NotEnoughReplicasException(name + " has " + inSync + " replicas in sync")
                : null;
    }

    private static boolean lacksReplicas(PartitionInfo partition) {
        return partition.inSyncReplicas().length < partition.replicas().length;
    }

    /** Completes when a connection was established. All brokers are tried at the same time. */
    private static CompletableFuture<Void> connection(Node broker) {
        return CompletableFuture.runAsync(() -> connect(broker), Thread::startVirtualThread)
                .orTimeout(CHECK_MAX.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void connect(Node broker) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(broker.host(), broker.port()), (int) CHECK_MAX.toMillis());
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
