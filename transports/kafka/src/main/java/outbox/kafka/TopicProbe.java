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
 * Asks the cluster about topics, one request for each question. A producer must not be asked about a topic that may be
 * missing: it repeats the question several times a second for minutes. A consumer's client remembers nothing, has no
 * thread, and lets a broker create the topic if it is set to do so.
 */
final class TopicProbe implements AutoCloseable {

    /** No topic can have this name, so the answer never depends on which topics there are. */
    private static final String NO_TOPIC = "?";

    private final ClientProperties client;

    /** One question at a time, as a consumer allows. */
    private final ReentrantLock asking = new ReentrantLock();

    /** Written while asking; read by whoever closes, to interrupt a question. */
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;

    private volatile boolean closed; // written by whoever closes

    private final AtomicLong questions = new AtomicLong();

    TopicProbe(ClientProperties client) {
        this.client = client;
    }

    /**
     * Returns when the cluster has answered.
     *
     * @throws KafkaException saying why it has not
     */
    void reach(Duration atMost) {
        try {
            ask(NO_TOPIC, atMost);
        } catch (InvalidTopicException | TopicAuthorizationException e) {
            // So it has answered.
        }
    }

    /**
     * The partitions of a topic that can be sent to.
     *
     * @throws KafkaException saying why it cannot
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

    /** How many questions were asked. */
    long questions() {
        return questions.get();
    }

    private List<PartitionInfo> ask(String topic, Duration atMost) {
        try {
            if (!asking.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException(
                        "an earlier question has not been answered for " + atMost.toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while waiting to ask", e);
        }
        try {
            KafkaConsumer<byte[], byte[]> open = open();
            questions.incrementAndGet();
            List<PartitionInfo> partitions = open.partitionsFor(topic, atMost);
            return partitions == null ? List.of() : partitions;
        } finally {
            asking.unlock();
        }
    }

    private KafkaConsumer<byte[], byte[]> open() {
        refuseIfClosed(); // Whoever closes may have been here before, and closes no consumer that is made afterwards.
        KafkaConsumer<byte[], byte[]> open = consumer;
        if (open == null) {
            open = new KafkaConsumer<>(client.scout(client.clientId() + "-topics"));
            consumer = open;
            refuseIfClosed(); // Whoever closes waits for this question, and could not interrupt it.
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
        asking.lock();
        try {
            KafkaConsumer<byte[], byte[]> last = consumer;
            consumer = null;
            if (last != null) {
                last.close(CloseOptions.timeout(Duration.ZERO));
            }
        } finally {
            asking.unlock();
        }
    }
}
