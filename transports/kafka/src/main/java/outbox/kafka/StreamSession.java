package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;

/**
 * The life of one producer in the ordinary mode.
 *
 * <p>Handing a record to a producer is quick when the producer knows its topic, and otherwise waits for the network. So
 * records of known topics are handed over at once, on the thread of whoever delivers, and those of another topic wait
 * here while a virtual thread looks it up: a missing topic holds up its own records and no others.
 *
 * <p>When a record fails and may have been written all the same, or may still be, or has others of its run behind it, the
 * session ends: the producer is closed before the failure is reported, and all that it had is reported as retryable. So
 * what is sent by the next session has nothing left to meet, and nothing overtakes a record that was refused.
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
    private final Map<String, List<Run>> waiting = new HashMap<>();

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

    /** Takes records; their outcomes are reported sooner or later. */
    void send(Run run, long now) {
        KnownTopic topic = known.get(run.topic());
        Producer<byte[], byte[]> open = producer;
        // The producer forgets a topic that is not used, and would have to ask for it again.
        if (topic != null && open != null && now - topic.usedAt < topicMemoryNanos) {
            topic.usedAt = now;
            hand(open, run);
        } else {
            enqueue(run);
        }
    }

    private void hand(Producer<byte[], byte[]> open, Run run) {
        List<Parcel> parcels = run.parcels();
        for (int n = 0; n < parcels.size(); n++) {
            Parcel parcel = parcels.get(n);
            Answer answer = new Answer(run, parcel);
            if (!answer.hand(open)) {
                Outcome behind = failures.behind(parcel);
                parcels.subList(n + 1, parcels.size()).forEach(each -> each.report(behind));
                return;
            }
        }
    }

    /** What becomes of one record. */
    private final class Answer implements Callback {

        private final Run run;
        private final Parcel parcel;
        private final Thread hander = Thread.currentThread();
        private boolean handing; // of the handing thread alone
        private boolean refused; // of the handing thread alone

        private Answer(Run run, Parcel parcel) {
            this.run = run;
            this.parcel = parcel;
        }

        /** Hands the record over; false when the producer has not taken it. */
        private boolean hand(Producer<byte[], byte[]> open) {
            handing = true;
            try {
                var unused = open.send(parcel.message(), this);
            } catch (RuntimeException e) {
                // So it says that it is closed, or that it has failed for good and has to be made anew.
                refused = true;
                failed(run, parcel, e, true);
            }
            handing = false;
            return !refused;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, @Nullable Exception error) {
            if (error == null) {
                parcel.delivered(metadata);
                Run next = run.arrived();
                if (next != null) {
                    send(next, lookup.time().nanoTime());
                }
                return;
            }
            // What fails before it is handed over was never given to the thread that talks to Kafka.
            boolean here = Thread.currentThread().equals(hander) && handing;
            refused |= here;
            failed(run, parcel, error, !here);
        }
    }

    private void failed(Run run, Parcel parcel, Exception error, boolean maybeSent) {
        if (error instanceof TimeoutException || error instanceof UnknownTopicOrPartitionException) {
            known.remove(parcel.topic());
        }
        String ended = ending;
        Outcome outcome = ended == null ? failures.outcome(parcel, error) : failures.retryable(ended);
        // What is behind a record that Kafka has not taken would be sent next.
        if (ended == null && maybeSent && !(Failures.isDefinite(error) && run.endsWith(parcel))) {
            end(failures.place() + ": given up with others after " + error);
        }
        parcel.report(outcome);
        run.breakOff().forEach(behind -> behind.report(failures.behind(parcel)));
    }

    // ---- topics that are not known yet -----------------------------------------------------------------------------

    private void enqueue(Run run) {
        String topic = run.topic();
        synchronized (this) {
            if (ending == null) {
                List<Run> others = waiting.get(topic);
                if (others == null) {
                    others = new ArrayList<>();
                    waiting.put(topic, others);
                    Thread.ofVirtual().name("outbox-kafka-look-up").start(() -> lookUp(topic));
                }
                others.add(run);
                return;
            }
        }
        report(run, failures.retryable(String.valueOf(ending)));
    }

    private static void report(Run run, Outcome outcome) {
        run.parcels().forEach(parcel -> parcel.report(outcome));
        run.breakOff().forEach(parcel -> parcel.report(outcome));
    }

    private void lookUp(String topic) {
        try {
            Producer<byte[], byte[]> open = open();
            lookup.find(open, topic);
            KnownTopic found = new KnownTopic();
            found.usedAt = lookup.time().nanoTime();
            known.put(topic, found);
            for (Run run : taken(topic)) {
                hand(open, run);
            }
        } catch (RuntimeException e) {
            String ended = ending;
            for (Run run : taken(topic)) {
                if (ended != null) {
                    report(run, failures.retryable(ended));
                } else {
                    Parcel first = run.parcels().get(0);
                    first.report(failures.outcome(first, e));
                    List<Parcel> behind = new ArrayList<>(
                            run.parcels().subList(1, run.parcels().size()));
                    behind.addAll(run.breakOff());
                    behind.forEach(each -> each.report(failures.behind(first)));
                }
            }
        }
    }

    private synchronized List<Run> taken(String topic) {
        List<Run> taken = waiting.remove(topic);
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
        List<Run> left = new ArrayList<>();
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
        left.forEach(run -> report(run, failures.retryable(reason)));
    }
}
