package outbox.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import outbox.util.TimeSource;

/**
 * Finds out which topics are there, for all slots, with a producer that sends nothing. A transaction could not be told
 * to leave out a record whose topic is missing: the producer would wait for the topic, and then fail as a whole.
 */
final class TopicScout implements AutoCloseable {

    /** How long a topic that was missing is not asked for again, since each asking holds up a slot. */
    private static final Duration MISSING_MEMORY = Duration.ofSeconds(2);

    private static final int MISSING_MAX = 1_000;

    private final ClientProperties client;
    private final TopicLookup lookup;
    private final TimeSource time;
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();
    private final Map<String, Missing> missing = new ConcurrentHashMap<>();

    /** Guarded by this. */
    private @Nullable Producer<byte[], byte[]> producer;

    /** Guarded by this. */
    private boolean closed;

    private record Missing(KafkaException why, long since) {}

    TopicScout(ClientProperties client, TopicLookup lookup, TimeSource time) {
        this.client = client;
        this.lookup = lookup;
        this.time = time;
    }

    /**
     * Why records cannot go to some of the topics.
     *
     * @throws KafkaException when that cannot be found out, because the broker is not there either
     */
    Map<String, KafkaException> troubles(Set<String> topics) {
        List<String> unknown =
                topics.stream().filter(topic -> !known.containsKey(topic)).toList();
        if (unknown.isEmpty()) {
            return Map.of();
        }
        Map<String, KafkaException> troubles = new ConcurrentHashMap<>();
        // All at once, since each that is missing takes a while.
        CompletableFuture.allOf(unknown.stream()
                        .map(topic ->
                                CompletableFuture.runAsync(() -> lookAt(topic, troubles), Thread::startVirtualThread))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        for (KafkaException trouble : troubles.values()) {
            if (Failures.concernsTheCluster(trouble)) {
                throw trouble;
            }
        }
        return troubles;
    }

    private void lookAt(String topic, Map<String, KafkaException> troubles) {
        Missing former = missing.get(topic);
        if (former != null && time.nanoTime() - former.since() < MISSING_MEMORY.toNanos()) {
            troubles.put(topic, former.why());
            return;
        }
        try {
            lookup.find(open(), topic);
            missing.remove(topic);
            known.put(topic, true);
        } catch (UnknownTopicOrPartitionException e) {
            if (missing.size() >= MISSING_MAX) {
                missing.clear();
            }
            missing.put(topic, new Missing(e, time.nanoTime()));
            troubles.put(topic, e);
        } catch (KafkaException e) {
            troubles.put(topic, e);
        } catch (RuntimeException e) {
            troubles.put(topic, new KafkaException(e));
        }
    }

    /** To be called when a topic turned out not to be there any more. */
    void forget(String topic) {
        known.remove(topic);
    }

    /**
     * To be called when a transaction failed and nobody knows why: a topic may be gone, and a producer that knew it goes
     * on believing in it for minutes.
     */
    void forgetAll() {
        Producer<byte[], byte[]> former;
        synchronized (this) {
            known.clear();
            former = producer;
            producer = null;
        }
        if (former != null) {
            former.close(Duration.ZERO);
        }
    }

    private synchronized Producer<byte[], byte[]> open() {
        if (closed) {
            throw new KafkaException("the destination was closed");
        }
        Producer<byte[], byte[]> open = producer;
        if (open == null) {
            open = new KafkaProducer<>(client.impatientProducer(client.clientId() + "-topics"));
            producer = open;
        }
        return open;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        forgetAll();
    }
}
