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
 * Runs the calls of one relay partition, one after another, each as a transaction of the partition's own producer. The
 * transactional id belongs to the partition, so a new owner's producer aborts the transactions of the former owner and
 * fences it.
 *
 * <p>After an error that leaves a transaction's fate open, the producer is closed, and the next call creates a new one.
 * The calls that wait behind it fail as well, because each would only wait for the same timeout.
 */
final class TransactionQueue implements AutoCloseable {

    private static final int CALLS_WAITING_MAX = 100;

    /** Delay before a refused call is reported, so that it is not repeated as fast as it is refused. */
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

    /** Written by the working thread, and read by the closing thread. */
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /** Collaborators that all partitions of a destination share. */
    record Parts(
            ClientProperties client, Failures failures, KnownTopics topics, TopicSettings settings, TimeSource time) {}

    TransactionQueue(Parts parts, String transactionalId) {
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
            // This does not concern the cluster.
            Outcome busy = failures.givenUp(CALLS_WAITING_MAX + " calls are already waiting");
            CompletableFuture.delayedExecutor(BUSY_PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> report(call, busy));
        }
    }

    private static void report(List<PendingRecord> call, Outcome outcome) {
        call.forEach(pending -> pending.report(outcome));
    }

    private void work() {
        for (TransactionAttempt attempt = next(); attempt != null; attempt = next()) {
            try {
                attempt.leaveOutUnsendable();
                while (attempt.hasOpen()) {
                    attempt.run(open());
                }
            } catch (Throwable e) { // Catches errors as well: the next call would wait for this thread forever.
                boolean ended = closed;
                discard();
                // Taken before anything is reported, because a report can cause a new attempt.
                List<TransactionAttempt> behind = waiting();
                if (ended) {
                    attempt.reportOpen(failures.unavailable(CLOSED));
                } else if (e instanceof RuntimeException failure) {
                    attempt.failed(failure);
                } else {
                    attempt.reportOpen(failures.unavailable(String.valueOf(e)));
                }
                Outcome outcome = ended
                        ? failures.unavailable(CLOSED)
                        : failures.givenUp("given up behind a call that failed: " + e);
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
        // A thread that waits for this producer gets an exception, reports its calls, and finds no more work.
        Producer<byte[], byte[]> open = producer;
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }
}
