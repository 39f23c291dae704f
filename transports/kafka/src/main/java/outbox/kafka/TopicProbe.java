package outbox.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Queries the cluster's metadata about topics, with one request per query. A producer is unsuitable for topics that may
 * be missing: it repeats the request several times a second for minutes. A consumer remembers nothing, has no thread,
 * and lets a broker create the topic automatically if it is configured to.
 */
final class TopicProbe implements AutoCloseable {

    /** No topic can have this name, so the answer never depends on the existing topics. */
    private static final String NO_TOPIC = "?";

    private final ClientProperties client;

    /** Allows one query at a time, as a consumer requires. */
    private final ReentrantLock queryLock = new ReentrantLock();

    /** Written during a query; read by the closing thread to interrupt a query. */
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;

    private volatile boolean closed; // written by the closing thread

    private final AtomicLong queries = new AtomicLong();

    TopicProbe(ClientProperties client) {
        this.client = client;
    }

    /**
     * Returns when the cluster has answered.
     *
     * @throws KafkaException with the reason why it has not
     */
    void requireReachable(Duration atMost) {
        try {
            ask(NO_TOPIC, atMost);
        } catch (InvalidTopicException | TopicAuthorizationException e) {
            // The cluster has answered.
        }
    }

    /**
     * Returns the partitions of a topic that has a leader for at least one.
     *
     * @throws KafkaException when no record can be sent to the topic
     */
    List<PartitionInfo> partitions(String topic, Duration atMost) {
        List<PartitionInfo> partitions = ask(topic, atMost);
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("no topic " + topic);
        }
        if (partitions.stream().noneMatch(TopicProbe::hasLeader)) {
            throw new LeaderNotAvailableException("no partition of topic " + topic + " has a leader");
        }
        return partitions;
    }

    static boolean hasLeader(PartitionInfo partition) {
        Node leader = partition.leader();
        return leader != null && !leader.isEmpty();
    }

    /** Returns the number of queries. */
    long queries() {
        return queries.get();
    }

    private List<PartitionInfo> ask(String topic, Duration atMost) {
        try {
            if (!queryLock.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException("an earlier query has not been answered for " + atMost.toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while waiting for an earlier query", e);
        }
        try {
            KafkaConsumer<byte[], byte[]> open = open();
            queries.incrementAndGet();
            List<PartitionInfo> partitions = open.partitionsFor(topic, atMost);
            return partitions == null ? List.of() : partitions;
        } finally {
            queryLock.unlock();
        }
    }

    private KafkaConsumer<byte[], byte[]> open() {
        refuseIfClosed(); // The destination may have been closed before this consumer existed, and would not close it.
        KafkaConsumer<byte[], byte[]> open = consumer;
        if (open == null) {
            open = new KafkaConsumer<>(client.probe(client.clientId() + "-topics"));
            consumer = open;
            refuseIfClosed(); // The closing thread waits for this query, and could no longer interrupt it.
        }
        return open;
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new KafkaException("the destination was closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        KafkaConsumer<byte[], byte[]> open = consumer;
        if (open != null) {
            open.wakeup();
        }
        queryLock.lock();
        try {
            KafkaConsumer<byte[], byte[]> last = consumer;
            consumer = null;
            if (last != null) {
                last.close(CloseOptions.timeout(Duration.ZERO));
            }
        } finally {
            queryLock.unlock();
        }
    }
}
