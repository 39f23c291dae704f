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
 * Owns one producer without transactions.
 *
 * <p>Handing a record to a producer is quick if the producer knows its topic, and otherwise waits for the network.
 * Records of known topics are therefore handed over at once, on the delivering thread. Records of another topic wait
 * here while a virtual thread looks the topic up, so a missing topic delays only its own records.
 *
 * <p>The session ends when the producer has failed, or when a record fails while later records of its key are in the
 * producer. Then the producer is stopped before it can send more, and its remaining records are reported as given up,
 * which costs no attempt. This prevents a record from overtaking a rejected one of its key. The failure of a record
 * without successors of its key does not end the session.
 */
final class StreamSession {

    private final Parts parts;
    private final Failures failures;
    private final String clientId;
    private final Consumer<StreamSession> onEnd;
    private final long topicIdleNanosMax;

    private final Map<String, KnownTopic> known = new ConcurrentHashMap<>();
    private final ReentrantLock opening = new ReentrantLock();
    private final ClusterListener clusterListener = new ClusterListener();

    /** Records whose topic is being looked up. Guarded by this. */
    private final Map<String, List<KeyRun>> waiting = new HashMap<>();

    /** The outcome of records after the session's end. Written under this object's monitor. */
    private volatile @Nullable Outcome ending;

    private @Nullable Exception lastFailure; // used by the producer's own thread alone

    /** Written under the lock for opening. */
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /** Remembers when a topic was last used. A stale value read by another thread only costs a lookup. */
    private static final class KnownTopic {
        private long usedAt;
    }

    /** Collaborators that all sessions of a destination share. */
    record Parts(
            ClientProperties client, Failures failures, TopicLookup lookup, TopicSettings settings, LateRecords late) {}

    StreamSession(Parts parts, String clientId, Consumer<StreamSession> onEnd) {
        this.parts = parts;
        this.failures = parts.failures();
        this.clientId = clientId;
        this.onEnd = onEnd;
        this.topicIdleNanosMax = parts.client().topicIdleMax().toNanos() / 2;
    }

    /** Takes records and reports their outcomes later. */
    void send(KeyRun run, long now) {
        KnownTopic topic = known.get(run.topic());
        Producer<byte[], byte[]> open = producer;
        // The producer forgets an unused topic, and would have to look it up again.
        if (topic != null && open != null && now - topic.usedAt < topicIdleNanosMax) {
            topic.usedAt = now;
            handOver(open, run);
        } else {
            enqueue(run);
        }
    }

    private void handOver(Producer<byte[], byte[]> open, KeyRun run) {
        List<PendingRecord> records = run.records();
        for (int n = 0; n < records.size(); n++) {
            PendingRecord pending = records.get(n);
            RecordTooLargeException refusal = parts.settings().refusal(pending);
            Answer answer = new Answer(run, pending);
            if (refusal != null) {
                report(pending, failures.unsent(pending, refusal), run.takeLaterRuns());
            }
            if (refusal != null || !answer.handOver(open)) {
                Outcome behind = failures.behind(pending);
                records.subList(n + 1, records.size()).forEach(each -> each.report(behind));
                return;
            }
        }
    }

    private void report(PendingRecord pending, Outcome outcome, List<PendingRecord> behind) {
        pending.report(outcome);
        if (!behind.isEmpty()) {
            Outcome after = failures.behind(pending);
            behind.forEach(each -> each.report(after));
        }
    }

    /** Handles the outcome of one record. */
    private final class Answer implements Callback {

        private final KeyRun run;
        private final PendingRecord pending;
        private final Thread handingThread = Thread.currentThread();
        private boolean handingOver; // used by the handing thread alone
        private boolean refused; // used by the handing thread alone

        private Answer(KeyRun run, PendingRecord pending) {
            this.run = run;
            this.pending = pending;
        }

        /** Hands the record over. Returns false when the producer has not taken it. */
        private boolean handOver(Producer<byte[], byte[]> open) {
            handingOver = true;
            try {
                var unused = open.send(pending.message(), this);
            } catch (RuntimeException e) {
                // The producer is closed, or has failed for good and must be replaced.
                refused = true;
                notTaken(run, pending, e);
            }
            handingOver = false;
            return !refused;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, @Nullable Exception error) {
            if (error == null) {
                pending.delivered(metadata);
                KeyRun next = run.arrived();
                if (next != null) {
                    send(next, parts.lookup().time().nanoTime());
                }
            } else if (Thread.currentThread().equals(handingThread) && handingOver) {
                // An error before the hand-over: the thread that talks to Kafka never received the record.
                refused = true;
                notTaken(run, pending, error);
            } else {
                failed(run, pending, error, metadata.partition());
            }
        }
    }

    /** Runs on the thread that hands over. */
    private void notTaken(KeyRun run, PendingRecord pending, Exception error) {
        Outcome outcome;
        Outcome ended = ending;
        if (ended != null) {
            outcome = ended;
        } else if (error instanceof TimeoutException && !(error instanceof BufferExhaustedException)) {
            // The producer has forgotten it, so the next attempt waits for it on a separate thread.
            known.remove(pending.topic());
            outcome = failures.givenUp("the producer has to look up topic " + pending.topic() + " again: " + error);
        } else {
            outcome = failures.unsent(pending, error);
            if (!Failures.leavesProducerUsable(error) && !(error instanceof BufferExhaustedException)) {
                end(failures.givenUp("given up with others after " + error));
            }
        }
        report(pending, outcome, run.takeLaterRuns());
    }

    /** Runs on the producer's own thread. */
    private void failed(KeyRun run, PendingRecord pending, Exception error, int partition) {
        Outcome ended = ending;
        boolean affectsWholeBatch = error.equals(lastFailure); // Errors of single records are separate objects.
        lastFailure = error;
        if (ended != null && (affectsWholeBatch || !Failures.rejectsTheRecord(error))) {
            report(pending, ended, run.takeLaterRuns());
            return;
        }
        if (error instanceof RecordTooLargeException) {
            parts.settings().refused(pending, error);
        }
        // The producer would send the records behind the rejected one next.
        if (!run.endsWith(pending) || !Failures.leavesProducerUsable(error)) {
            end(failures.givenUp("given up with others after " + error));
        }
        ErrorKind meaning = ErrorKind.of(error);
        if (meaning == ErrorKind.UNANSWERED || meaning == ErrorKind.ADDRESS) {
            known.remove(pending.topic());
        }
        if (meaning == ErrorKind.UNANSWERED) {
            parts.late().add(new LateRecords.Late(pending, partition, error, run.takeLaterRuns()));
        } else {
            report(pending, failures.sent(pending, error), run.takeLaterRuns());
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
                    Thread.ofVirtual().name("outbox-kafka-look-up").start(() -> lookUpTopic(topic));
                }
                others.add(run);
                return;
            }
        }
        giveUp(run, ended);
    }

    private static void giveUp(KeyRun run, Outcome outcome) {
        run.records().forEach(pending -> pending.report(outcome));
        run.takeLaterRuns().forEach(pending -> pending.report(outcome));
    }

    /** Opens the producer and looks up the cluster and the topics. Completes when that has succeeded or failed. */
    CompletableFuture<Void> warm(List<String> topics) {
        return CompletableFuture.runAsync(
                () -> {
                    connect();
                    topics.forEach(this::lookUpTopic);
                },
                Thread::startVirtualThread);
    }

    /** Waits for the cluster as long as for a topic. A failure recurs and is reported with an event. */
    private void connect() {
        try {
            open();
            clusterListener
                    .known()
                    .completeOnTimeout(null, parts.client().blockMax().toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        } catch (KafkaException e) {
            // The producer cannot be created.
        }
    }

    private void lookUpTopic(String topic) {
        Producer<byte[], byte[]> open = null;
        try {
            parts.lookup().find(topic);
            open = open();
            parts.lookup().awaitMetadata(open, topic);
            parts.settings().await(topic);
            KnownTopic found = new KnownTopic();
            found.usedAt = parts.lookup().time().nanoTime();
            known.put(topic, found);
            for (KeyRun run : taken(topic)) {
                handOver(open, run);
            }
        } catch (Throwable e) { // Catches errors as well: later records would wait for this lookup forever.
            List<KeyRun> waited = taken(topic);
            if (open != null && !Failures.leavesProducerUsable(e)) {
                end(failures.givenUp("given up with others after " + e));
            }
            for (KeyRun run : waited) {
                PendingRecord first = run.records().get(0);
                List<PendingRecord> behind =
                        new ArrayList<>(run.records().subList(1, run.records().size()));
                behind.addAll(run.takeLaterRuns());
                report(first, failures.unsent(first, e), behind);
            }
        }
    }

    private synchronized List<KeyRun> taken(String topic) {
        List<KeyRun> taken = waiting.remove(topic);
        return taken == null ? List.of() : taken;
    }

    /** Creating a producer resolves addresses and reads key stores, so it runs on the thread of a lookup. */
    private Producer<byte[], byte[]> open() {
        opening.lock();
        try {
            Producer<byte[], byte[]> open = producer;
            if (open == null) {
                open = new KafkaProducer<>(parts.client().fastProducer(clientId), clusterListener, clusterListener);
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

    // ---- the end of the session ------------------------------------------------------------------------------------

    /** Stops the producer. Its pending records get this outcome. */
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
            // Pending records fail now, and their own callbacks report them.
            ProducerEnd.stop(open);
        }
        left.forEach(run -> giveUp(run, outcome));
    }
}
