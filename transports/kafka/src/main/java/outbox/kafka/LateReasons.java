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
 * Why a producer has given records up after a time, as far as their partitions are to blame. The producer says only that
 * they were not sent, or not answered: a broker that is cut off from this client alone stays the leader with all its
 * replicas, so that the cluster finds nothing wrong either.
 */
final class LateReasons {

    /** For each question; a relay waits 35 seconds for an outcome, of which the producer has used 20. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Function<String, List<PartitionInfo>> partitions;
    private final ToIntFunction<String> replicasMin;

    /**
     * Asks nothing yet.
     *
     * @param partitions of a topic; throws a {@link KafkaException} when it cannot be used as a whole
     * @param replicasMin how many replicas of a topic have to be in sync; 0 when that is not to be known
     */
    LateReasons(Function<String, List<PartitionInfo>> partitions, ToIntFunction<String> replicasMin) {
        this.partitions = partitions;
        this.replicasMin = replicasMin;
    }

    /**
     * What is wrong with partitions of the topic, by their numbers. Each leader, and the topic's settings, are asked once.
     *
     * @throws KafkaException when the topic cannot be used as a whole, or the cluster does not answer
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
            return new LeaderNotAvailableException(name + " has a leader that cannot be reached from here, "
                    + partition.leader() + ": " + e.getCause());
        }
        int inSync = partition.inSyncReplicas().length;
        return lacksReplicas(partition) && inSync < replicasMin
                ? new NotEnoughReplicasException(name + " has " + inSync + " replicas in sync")
                : null;
    }

    private static boolean lacksReplicas(PartitionInfo partition) {
        return partition.inSyncReplicas().length < partition.replicas().length;
    }

    /** Completes when a connection could be made. All are tried at the same time: each may take all of the patience. */
    private static CompletableFuture<Void> connection(Node broker) {
        return CompletableFuture.runAsync(() -> connect(broker), Thread::startVirtualThread)
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void connect(Node broker) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(broker.host(), broker.port()), (int) PATIENCE.toMillis());
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
