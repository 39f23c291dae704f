package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The life of one producer in the ordinary mode.
 *
 * <p>Handing a record to a producer is quick when the producer knows its topic, and otherwise waits for the network. So
 * records of known topics are handed over at once, on the thread of whoever delivers, and those of another topic wait
 * here while a virtual thread looks it up: a missing topic holds up its own records and no others.
 *
 * <p>When a record fails and may have been written all the same, or may still be, the session ends: the producer is
 * closed before the failure is reported, and all that it had is reported as retryable. So what is sent by the next
 * session has nothing left to meet.
 */
final class StreamSession {

    private final ClientProperties client;
    private final String clientId;
    private final Failures failures;
    private final TopicLookup lookup;
    private final Consumer<StreamSession> onEnd;
    private final long topicMemoryNanos;

    private final Map<String, KnownTopic> known = new ConcurrentHashMap<>();
    private final ReentrantLock opening = new ReentrantLock();

    /** Records whose topic is being looked up. Guarded by this. */
    private final Map<String, List<Parcel>> waiting = new HashMap<>();

    /** Why it ended. Written under this object's monitor. */
    private volatile @Nullable String ending;

    /** Written under the lock for opening. */
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /** When a topic was last used. A stale value read by another thread costs a look-up and nothing else. */
    private static final class KnownTopic {
        private long usedAt;
    }

    StreamSession(
            ClientProperties client,
            String clientId,
            Failures failures,
            TopicLookup lookup,
            Consumer<StreamSession> onEnd) {
        this.client = client;
        this.clientId = clientId;
        this.failures = failures;
        this.lookup = lookup;
        this.onEnd = onEnd;
        this.topicMemoryNanos = client.topicMemory().toNanos() / 2;
    }

    /** Takes one record; its outcome is reported sooner or later. */
    void send(Parcel parcel, long now) {
        KnownTopic topic = known.get(parcel.topic());
        Producer<byte[], byte[]> open = producer;
        // The producer forgets a topic that is not used, and would have to ask for it again.
        if (topic != null && open != null && now - topic.usedAt < topicMemoryNanos) {
            topic.usedAt = now;
            hand(open, parcel);
        } else {
            enqueue(parcel);
        }
    }

    private void hand(Producer<byte[], byte[]> open, Parcel parcel) {
        long here = Thread.currentThread().threadId();
        try {
            var unused = open.send(parcel.message(), (metadata, error) -> {
                if (error == null) {
                    parcel.delivered(metadata);
                } else {
                    // What fails before send returns was never given to the thread that talks to Kafka.
                    failed(parcel, error, Thread.currentThread().threadId() != here);
                }
            });
        } catch (RuntimeException e) {
            // So it says that it is closed, or that it has failed for good and has to be made anew.
            failed(parcel, e, true);
        }
    }

    private void failed(Parcel parcel, Exception error, boolean maybeSent) {
        if (error instanceof TimeoutException || error instanceof UnknownTopicOrPartitionException) {
            known.remove(parcel.topic());
        }
        String ended = ending;
        if (ended != null) {
            parcel.report(failures.retryable(ended));
        } else if (maybeSent && !Failures.isDefinite(error)) {
            end(failures.place() + ": given up with others after " + error);
            parcel.report(failures.outcome(parcel, error));
        } else {
            parcel.report(failures.outcome(parcel, error));
        }
    }

    // ---- topics that are not known yet -----------------------------------------------------------------------------

    private void enqueue(Parcel parcel) {
        String topic = parcel.topic();
        synchronized (this) {
            if (ending == null) {
                List<Parcel> others = waiting.get(topic);
                if (others == null) {
                    others = new ArrayList<>();
                    waiting.put(topic, others);
                    Thread.ofVirtual().name("outbox-kafka-look-up").start(() -> lookUp(topic));
                }
                others.add(parcel);
                return;
            }
        }
        parcel.report(failures.retryable(String.valueOf(ending)));
    }

    private void lookUp(String topic) {
        try {
            Producer<byte[], byte[]> open = open();
            lookup.find(open, topic);
            KnownTopic found = new KnownTopic();
            found.usedAt = lookup.time().nanoTime();
            known.put(topic, found);
            for (Parcel parcel : taken(topic)) {
                hand(open, parcel);
            }
        } catch (RuntimeException e) {
            String ended = ending;
            for (Parcel parcel : taken(topic)) {
                parcel.report(ended == null ? failures.outcome(parcel, e) : failures.retryable(ended));
            }
        }
    }

    private synchronized List<Parcel> taken(String topic) {
        List<Parcel> taken = waiting.remove(topic);
        return taken == null ? List.of() : taken;
    }

    /** Making a producer resolves addresses and reads key stores, so it is done on the thread of a look-up. */
    private Producer<byte[], byte[]> open() {
        opening.lock();
        try {
            Producer<byte[], byte[]> open = producer;
            if (open == null) {
                open = new KafkaProducer<>(client.impatientProducer(clientId));
                producer = open;
                if (ending != null) {
                    open.close(Duration.ZERO);
                }
            }
            return open;
        } finally {
            opening.unlock();
        }
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** Closes the producer; whatever it had is reported as retryable, for this reason. */
    void end(String reason) {
        List<Parcel> left = new ArrayList<>();
        synchronized (this) {
            if (ending != null) {
                return;
            }
            ending = reason;
            waiting.values().forEach(left::addAll);
            waiting.clear();
        }
        onEnd.accept(this);
        Producer<byte[], byte[]> open = producer;
        if (open != null) {
            // What it still has fails with that, and is reported by its own callback.
            open.close(Duration.ZERO);
        }
        left.forEach(parcel -> parcel.report(failures.retryable(reason)));
    }
}
