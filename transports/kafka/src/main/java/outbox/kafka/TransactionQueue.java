package outbox.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.spi.TimeSource;

/**
 * The calls of one slot, one after another, each as a transaction of the slot's own producer. The producer's
 * transactional id is the slot's, so that a new owner's producer ends what a former owner has left open, and shuts it
 * out.
 *
 * <p>After an error that does not tell what became of a transaction, the producer is closed and the next call makes a new
 * one. The calls that wait behind it fail with it: they would only wait as long once more.
 */
final class TransactionalSlot implements AutoCloseable {

    private static final int CALLS_WAITING_MAX = 100;

    /** Between two tries of a call for which there was no room: it would come back as fast as it is refused. */
    private static final Duration BUSY_PAUSE = Duration.ofMillis(100);

    private static final String CLOSED = "the destination was closed";

    private final Parts parts;
    private final Failures failures;
    private final String transactionalId;

    /** Guarded by this. */
    private final Deque<TransactionAttempt> calls = new ArrayDeque<>();

    /** Whether a thread works on the calls. Guarded by this. */
    private boolean working;

    /** Written under this object's monitor. */
    private volatile boolean closed;

    /** Written by the thread that works, and read by whoever closes. */
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /** What all slots of a destination work with. */
    record Parts(
            ClientProperties client, Failures failures, KnownTopics topics, TopicSettings settings, TimeSource time) {}

    TransactionalSlot(Parts parts, String transactionalId) {
        this.parts = parts;
        this.failures = parts.failures();
        this.transactionalId = transactionalId;
    }

    void submit(List<PendingRecord> call) {
        boolean ended;
        synchronized (this) {
            if (!closed && calls.size() < CALLS_WAITING_MAX) {
                calls.add(new TransactionAttempt(call, parts));
                if (!working) {
                    working = true;
                    Thread.ofVirtual().name("outbox-kafka-" + transactionalId).start(this::work);
                }
                return;
            }
            ended = closed;
        }
        if (ended) {
            report(call, failures.unavailable(CLOSED));
        } else {
            // This says nothing about the cluster.
            Outcome busy = failures.givenUp(CALLS_WAITING_MAX + " calls wait already");
            CompletableFuture.delayedExecutor(BUSY_PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> report(call, busy));
        }
    }

    private static void report(List<PendingRecord> call, Outcome outcome) {
        call.forEach(parcel -> parcel.report(outcome));
    }

    private void work() {
        for (TransactionAttempt attempt = next(); attempt != null; attempt = next()) {
            try {
                attempt.leaveOutWhatCannotBeSent();
                while (attempt.hasOpen()) {
                    attempt.run(open());
                }
            } catch (Throwable e) { // An Error as well: the next call would find this slot at work for good.
                boolean ended = closed;
                discard();
                // Before anything is reported, since what comes after a report is a new attempt.
                List<TransactionAttempt> behind = waiting();
                if (ended) {
                    attempt.reportOpen(failures.unavailable(CLOSED));
                } else if (e instanceof RuntimeException failure) {
                    attempt.failed(failure);
                } else {
                    attempt.reportOpen(failures.unavailable(String.valueOf(e)));
                }
                Outcome outcome =
                        ended ? failures.unavailable(CLOSED) : failures.givenUp("behind a call that failed: " + e);
                behind.forEach(each -> each.reportOpen(outcome));
            }
        }
    }

    private synchronized @Nullable TransactionAttempt next() {
        TransactionAttempt attempt = calls.poll();
        working = attempt != null;
        return attempt;
    }

    private synchronized List<TransactionAttempt> waiting() {
        List<TransactionAttempt> waiting = List.copyOf(calls);
        calls.clear();
        return waiting;
    }

    // ---- the producer ----------------------------------------------------------------------------------------------

    private Producer<byte[], byte[]> open() {
        Producer<byte[], byte[]> open = producer;
        if (open == null) {
            Map<String, Object> properties =
                    new HashMap<>(parts.client().producer(parts.client().clientId() + "-" + transactionalId));
            properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
            open = new KafkaProducer<>(properties);
            producer = open;
            if (closed) {
                throw new KafkaException(CLOSED);
            }
            open.initTransactions();
        }
        return open;
    }

    private void discard() {
        Producer<byte[], byte[]> open = producer;
        producer = null;
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        Outcome outcome = failures.unavailable(CLOSED);
        waiting().forEach(each -> each.reportOpen(outcome));
        // Whoever waits for this producer gets an exception, reports what it has, and finds nothing more to do.
        Producer<byte[], byte[]> open = producer;
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }
}
