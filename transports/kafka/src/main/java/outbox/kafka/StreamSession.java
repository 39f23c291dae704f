package outbox.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;

/**
 * The life of one producer in the ordinary mode.
 *
 * <p>Handing a record to a producer is quick when the producer knows its topic, and otherwise waits for the network. So
 * records of known topics are handed over at once, on the thread of whoever delivers, and those of another topic wait
 * here while a virtual thread looks it up: a missing topic holds up its own records and no others.
 *
 * <p>When a record fails and others of its key are in the producer behind it, or when the producer itself has failed, the
 * session ends: the producer is stopped before it can send more, and all that it had is reported as given up, which costs
 * no attempt. So nothing overtakes a record that was refused. A record with nothing of its key behind it leaves the
 * session as it is.
 */
final class StreamSession {

    private final Parts parts;
    private final Failures failures;
    private final String clientId;
    private final Consumer<StreamSession> onEnd;
    private final long topicMemoryNanos;

    private final Map<String, KnownTopic> known = new ConcurrentHashMap<>();
    private final ReentrantLock opening = new ReentrantLock();
    private final FirstContact contact = new FirstContact();

    /** Records whose topic is being looked up. Guarded by this. */
    private final Map<String, List<KeyRun>> waiting = new HashMap<>();

    /** Why it ended. Written under this object's monitor. */
    private volatile @Nullable Outcome ending;

    private @Nullable Exception lastFailure; // the producer's own thread alone

    /** Written under the lock for opening. */
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /** When a topic was last used. A stale value read by another thread costs a look-up and nothing else. */
    private static final class KnownTopic {
        private long usedAt;
    }

    /** What all sessions of a destination work with. */
    record Parts(
            ClientProperties client, Failures failures, TopicLookup lookup, TopicSettings settings, LateRecords late) {}

    StreamSession(Parts parts, String clientId, Consumer<StreamSession> onEnd) {
        this.parts = parts;
        this.failures = parts.failures();
        this.clientId = clientId;
        this.onEnd = onEnd;
        this.topicMemoryNanos = parts.client().topicMemory().toNanos() / 2;
    }

    /** Takes records; their outcomes are reported sooner or later. */
    void send(KeyRun run, long now) {
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

    private void hand(Producer<byte[], byte[]> open, KeyRun run) {
        List<PendingRecord> parcels = run.parcels();
        for (int n = 0; n < parcels.size(); n++) {
            PendingRecord parcel = parcels.get(n);
            RecordTooLargeException refusal = parts.settings().refusal(parcel);
            Answer answer = new Answer(run, parcel);
            if (refusal != null) {
                report(parcel, failures.unsent(parcel, refusal), run.breakOff());
            }
            if (refusal != null || !answer.hand(open)) {
                Outcome behind = failures.behind(parcel);
                parcels.subList(n + 1, parcels.size()).forEach(each -> each.report(behind));
                return;
            }
        }
    }

    private void report(PendingRecord parcel, Outcome outcome, List<PendingRecord> behind) {
        parcel.report(outcome);
        if (!behind.isEmpty()) {
            Outcome after = failures.behind(parcel);
            behind.forEach(each -> each.report(after));
        }
    }

    /** What becomes of one record. */
    private final class Answer implements Callback {

        private final KeyRun run;
        private final PendingRecord parcel;
        private final Thread hander = Thread.currentThread();
        private boolean handing; // of the handing thread alone
        private boolean refused; // of the handing thread alone

        private Answer(KeyRun run, PendingRecord parcel) {
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
                notTaken(run, parcel, e);
            }
            handing = false;
            return !refused;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, @Nullable Exception error) {
            if (error == null) {
                parcel.delivered(metadata);
                KeyRun next = run.arrived();
                if (next != null) {
                    send(next, parts.lookup().time().nanoTime());
                }
            } else if (Thread.currentThread().equals(hander) && handing) {
                // What fails before it is handed over was never given to the thread that talks to Kafka.
                refused = true;
                notTaken(run, parcel, error);
            } else {
                failed(run, parcel, error, metadata.partition());
            }
        }
    }

    /** On the thread that hands over. */
    private void notTaken(KeyRun run, PendingRecord parcel, Exception error) {
        Outcome outcome;
        Outcome ended = ending;
        if (ended != null) {
            outcome = ended;
        } else if (error instanceof TimeoutException && !(error instanceof BufferExhaustedException)) {
            known.remove(parcel.topic()); // The producer has forgotten it: the next attempt waits for it elsewhere.
            outcome = failures.givenUp("the producer has to look up topic " + parcel.topic() + " again: " + error);
        } else {
            outcome = failures.unsent(parcel, error);
            if (!Failures.sparesTheProducer(error) && !(error instanceof BufferExhaustedException)) {
                end(failures.givenUp("given up with others after " + error));
            }
        }
        report(parcel, outcome, run.breakOff());
    }

    /** On the producer's own thread. */
    private void failed(KeyRun run, PendingRecord parcel, Exception error, int partition) {
        Outcome ended = ending;
        boolean isOfTheWholeBatch = error.equals(lastFailure); // Errors of single records are objects of their own.
        lastFailure = error;
        if (ended != null && (isOfTheWholeBatch || !Failures.blamesTheRecord(error))) {
            report(parcel, ended, run.breakOff());
            return;
        }
        if (error instanceof RecordTooLargeException) {
            parts.settings().refused(parcel, error);
        }
        // What is behind a record that Kafka has not taken would be sent next.
        if (!run.endsWith(parcel) || !Failures.sparesTheProducer(error)) {
            end(failures.givenUp("given up with others after " + error));
        }
        Meaning meaning = Meaning.of(error);
        if (meaning == Meaning.UNANSWERED || meaning == Meaning.ADDRESS) {
            known.remove(parcel.topic());
        }
        if (meaning == Meaning.UNANSWERED) {
            parts.late().add(new LateRecords.Late(parcel, partition, error, run.breakOff()));
        } else {
            report(parcel, failures.sent(parcel, error), run.breakOff());
        }
    }

    // ---- topics that are not known yet -----------------------------------------------------------------------------

    private void enqueue(KeyRun run) {
        String topic = run.topic();
        Outcome ended;
        synchronized (this) {
            ended = ending;
            if (ended == null) {
                List<KeyRun> others = waiting.get(topic);
                if (others == null) {
                    others = new ArrayList<>();
                    waiting.put(topic, others);
                    Thread.ofVirtual().name("outbox-kafka-look-up").start(() -> lookUp(topic));
                }
                others.add(run);
                return;
            }
        }
        giveUp(run, ended);
    }

    private static void giveUp(KeyRun run, Outcome outcome) {
        run.parcels().forEach(parcel -> parcel.report(outcome));
        run.breakOff().forEach(parcel -> parcel.report(outcome));
    }

    /** Opens the producer and makes it know the cluster and the topics; ends when that is done, or has failed. */
    CompletableFuture<Void> warm(List<String> topics) {
        return CompletableFuture.runAsync(
                () -> {
                    connect();
                    topics.forEach(this::lookUp);
                },
                Thread::startVirtualThread);
    }

    /** Waits for the cluster as long as for a topic; what fails here fails again when an event is sent, and is reported. */
    private void connect() {
        try {
            open();
            contact.made()
                    .completeOnTimeout(null, parts.client().patience().toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        } catch (KafkaException e) {
            // So the producer cannot be made.
        }
    }

    private void lookUp(String topic) {
        Producer<byte[], byte[]> open = null;
        try {
            parts.lookup().find(topic);
            open = open();
            parts.lookup().teach(open, topic);
            parts.settings().await(topic);
            KnownTopic found = new KnownTopic();
            found.usedAt = parts.lookup().time().nanoTime();
            known.put(topic, found);
            for (KeyRun run : taken(topic)) {
                hand(open, run);
            }
        } catch (Throwable e) { // An Error as well: what comes later would wait for this look-up for good.
            List<KeyRun> waited = taken(topic);
            if (open != null && !Failures.sparesTheProducer(e)) {
                end(failures.givenUp("given up with others after " + e));
            }
            for (KeyRun run : waited) {
                PendingRecord first = run.parcels().get(0);
                List<PendingRecord> behind =
                        new ArrayList<>(run.parcels().subList(1, run.parcels().size()));
                behind.addAll(run.breakOff());
                report(first, failures.unsent(first, e), behind);
            }
        }
    }

    private synchronized List<KeyRun> taken(String topic) {
        List<KeyRun> taken = waiting.remove(topic);
        return taken == null ? List.of() : taken;
    }

    /** Making a producer resolves addresses and reads key stores, so it is done on the thread of a look-up. */
    private Producer<byte[], byte[]> open() {
        opening.lock();
        try {
            Producer<byte[], byte[]> open = producer;
            if (open == null) {
                open = new KafkaProducer<>(parts.client().impatientProducer(clientId), contact, contact);
                producer = open;
                if (ending != null) {
                    ProducerEnd.stop(open);
                }
            }
            return open;
        } finally {
            opening.unlock();
        }
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** Stops the producer; this is the outcome of whatever it had. */
    void end(Outcome outcome) {
        List<KeyRun> left = new ArrayList<>();
        synchronized (this) {
            if (ending != null) {
                return;
            }
            ending = outcome;
            waiting.values().forEach(left::addAll);
            waiting.clear();
        }
        onEnd.accept(this);
        Producer<byte[], byte[]> open = producer;
        if (open != null) {
            // What it still has fails with that, and is reported by its own callback.
            ProducerEnd.stop(open);
        }
        left.forEach(run -> giveUp(run, outcome));
    }
}
