package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.spi.TimeSource;

/**
 * One attempt to deliver the records of a call in transactions. All records of a transaction arrive or none does. A
 * record that cannot be sent is left out, together with the later records of its key, and the others are tried again at
 * once.
 */
final class TransactionAttempt {

    /**
     * Time after the hand-over in which a call may begin another transaction. That transaction may take the producer's
     * delivery.timeout.ms, and a relay waits 35 seconds for an outcome.
     */
    private static final Duration TIME_MAX = Duration.ofSeconds(10);

    private final Failures failures;
    private final KnownTopics topics;
    private final TopicSettings settings;
    private final TimeSource time;
    private final long start;

    /** Records without an outcome yet, in order. */
    private List<PendingRecord> open;

    private int transactions;

    /**
     * Number of open records, from the first on, that are known to contain a faulty one; 0 when none is known. A broker
     * rejects whole batches, and a producer gives the same error to records that it has not sent yet. The errors of
     * many records therefore do not identify the faulty one, and it is found by bisection.
     */
    private int suspects;

    /** Number of open records, from the first on, that are in a transaction that may have been committed. */
    private int inTransaction;

    TransactionAttempt(List<PendingRecord> call, TransactionQueue.Parts parts) {
        this.open = call;
        this.failures = parts.failures();
        this.topics = parts.topics();
        this.settings = parts.settings();
        this.time = parts.time();
        this.start = time.nanoTime();
    }

    boolean hasOpen() {
        return !open.isEmpty();
    }

    /**
     * Leaves out records that are too large and records whose topic is missing.
     *
     * @throws KafkaException when that is unknown, because the broker is unavailable too
     */
    void leaveOutUnsendable() {
        Set<String> named = new LinkedHashSet<>();
        open.forEach(pending -> named.add(pending.topic()));
        named.forEach(settings::await);
        Map<String, KafkaException> problems = topics.problems(named);
        Map<Integer, Throwable> faulty = new HashMap<>();
        for (PendingRecord pending : open) {
            KafkaException problem = problems.get(pending.topic());
            Exception refusal = problem == null ? settings.refusal(pending) : problem;
            if (refusal != null) {
                faulty.put(pending.index(), refusal);
            }
        }
        if (!faulty.isEmpty()) {
            leaveOut(faulty, failures::unsent);
        }
    }

    /**
     * Sends the open records as one transaction, or the first half of those that contain a faulty one. Afterwards the
     * sent records are delivered, or the faulty ones have their outcomes and the others are still open, or all are
     * still open and will be sent in halves. Records that are open when the time is over are given up.
     *
     * @throws KafkaException when the transaction's fate is unknown, or no faulty record can be identified
     */
    void run(Producer<byte[], byte[]> producer) {
        if (transactions > 0 && time.nanoTime() - start > TIME_MAX.toNanos()) {
            reportOpen(failures.givenUp("other records of the same call failed one after another, for "
                    + TIME_MAX.toSeconds() + " seconds"));
            return;
        }
        transactions++;
        List<PendingRecord> batch = suspects == 0 ? open : List.copyOf(open.subList(0, Math.max(1, suspects / 2)));
        AtomicReferenceArray<RecordMetadata> places = new AtomicReferenceArray<>(batch.size());
        AtomicReferenceArray<Exception> errors = new AtomicReferenceArray<>(batch.size());
        try {
            producer.beginTransaction();
            send(producer, batch, places, errors);
            inTransaction = batch.size();
            producer.commitTransaction();
        } catch (TimeoutException e) {
            topics.forgetAll();
            throw e; // It may be committed or not.
        } catch (KafkaException e) {
            // Fails if the producer cannot continue. Afterwards all records have been answered.
            producer.abortTransaction();
            if (batch.size() > 1 && anyRejected(errors)) {
                inTransaction = 0;
                suspects = batch.size();
                return;
            }
            suspects = 0;
            Map<Integer, Throwable> faulty = faulty(batch, errors, e);
            inTransaction = faulty.isEmpty() ? inTransaction : 0;
            leaveOut(faulty, failures::sent);
            if (faulty.isEmpty() && !leaveOutLate(batch, places, errors)) {
                throw e;
            }
            leaveOutUnsendable(); // The faulty record's problem may affect other records too.
            return;
        }
        inTransaction = 0;
        suspects = Math.max(0, suspects - batch.size());
        open = open.subList(batch.size(), open.size());
        for (int n = 0; n < batch.size(); n++) {
            batch.get(n).delivered(places.get(n));
        }
    }

    /** Stops at the first record that could not be handed over in time: each further one would wait as long again. */
    private void send(
            Producer<byte[], byte[]> producer,
            List<PendingRecord> batch,
            AtomicReferenceArray<RecordMetadata> places,
            AtomicReferenceArray<Exception> errors) {
        for (int n = 0; n < batch.size(); n++) {
            int index = n;
            var unused = producer.send(batch.get(n).message(), (metadata, error) -> {
                places.set(index, metadata);
                errors.set(index, error);
            });
            if (errors.get(n) instanceof TimeoutException late) {
                if (late.getCause() instanceof ApiException topicError) {
                    errors.set(n, topicError);
                    throw new KafkaException(topicError);
                }
                throw late;
            }
        }
    }

    private static Map<Integer, Throwable> faulty(
            List<PendingRecord> batch, AtomicReferenceArray<Exception> errors, KafkaException commit) {
        Map<Integer, Throwable> faulty = new HashMap<>();
        for (int n = 0; n < batch.size(); n++) {
            PendingRecord pending = batch.get(n);
            Exception error = errors.get(n);
            if (error != null && isFaulty(error, pending, batch.size() == 1)) {
                faulty.put(pending.index(), error);
            } else if (commit.getCause() instanceof TopicAuthorizationException denied
                    && denied.unauthorizedTopics().contains(pending.topic())) {
                faulty.put(pending.index(), commit);
            }
        }
        return faulty;
    }

    /** Leaves out late records: a producer would not notice for minutes that a topic was deleted. */
    private boolean leaveOutLate(
            List<PendingRecord> batch,
            AtomicReferenceArray<RecordMetadata> places,
            AtomicReferenceArray<Exception> errors) {
        topics.forgetAll();
        Map<String, IntFunction<@Nullable Exception>> reasons = new HashMap<>();
        Map<Integer, Throwable> late = new HashMap<>();
        for (int n = 0; n < batch.size(); n++) {
            Exception error = errors.get(n);
            if (error != null && ErrorKind.of(error) == ErrorKind.UNANSWERED) {
                PendingRecord pending = batch.get(n);
                Exception reason = reasons.computeIfAbsent(pending.topic(), topics::reasonsOfLate)
                        .apply(places.get(n).partition());
                late.put(pending.index(), reason == null ? error : reason);
            }
        }
        leaveOut(late, failures::sent);
        inTransaction = late.isEmpty() ? inTransaction : 0;
        return !late.isEmpty();
    }

    private static boolean isFaulty(Exception error, PendingRecord pending, boolean alone) {
        // Other records of the transaction may have been given the same error.
        if (error instanceof TopicAuthorizationException denied
                && !denied.unauthorizedTopics().isEmpty()) {
            return denied.unauthorizedTopics().contains(pending.topic());
        }
        return switch (ErrorKind.of(error)) {
            case REJECTED, ADDRESS -> true;
            case FAILED -> alone;
            case DESTINATION, UNANSWERED, FORBIDDEN, GIVEN_UP -> false;
        };
    }

    private static boolean anyRejected(AtomicReferenceArray<Exception> errors) {
        return IntStream.range(0, errors.length()).mapToObj(errors::get).anyMatch(error -> {
            ErrorKind meaning = error == null ? ErrorKind.GIVEN_UP : ErrorKind.of(error);
            return meaning == ErrorKind.REJECTED || meaning == ErrorKind.FAILED;
        });
    }

    private void leaveOut(Map<Integer, Throwable> faulty, BiFunction<PendingRecord, Throwable, Outcome> meaning) {
        Map<String, PendingRecord> faultyOfKey = new HashMap<>();
        List<PendingRecord> rest = new ArrayList<>();
        for (PendingRecord pending : open) {
            String key = pending.key();
            PendingRecord before = key == null ? null : faultyOfKey.get(key);
            Throwable error = faulty.get(pending.index());
            if (before != null) {
                pending.report(failures.behind(before));
            } else if (error != null) {
                learn(pending, error);
                if (key != null) {
                    faultyOfKey.put(key, pending);
                }
                pending.report(meaning.apply(pending, error));
            } else {
                rest.add(pending);
            }
        }
        open = rest;
    }

    private void learn(PendingRecord pending, Throwable error) {
        if (ErrorKind.of(error) == ErrorKind.ADDRESS) {
            topics.forget(pending.topic());
        } else if (error instanceof RecordTooLargeException) {
            settings.refused(pending, error);
        }
    }

    /** Reports the records without an outcome, after an error that cannot be attributed to a record. */
    void failed(RuntimeException error) {
        int uncertain = inTransaction;
        List<PendingRecord> left = open;
        open = List.of();
        for (int n = 0; n < left.size(); n++) {
            left.get(n).report(outcome(left.get(n), error, n, uncertain));
        }
    }

    private Outcome outcome(PendingRecord pending, RuntimeException error, int position, int uncertain) {
        boolean blamed = switch (ErrorKind.of(error)) {
            case DESTINATION, FORBIDDEN -> true;
            case UNANSWERED -> uncertain == 0 || position < uncertain;
            case REJECTED, ADDRESS, FAILED -> uncertain == 0 || position == 0;
            case GIVEN_UP -> false;
        };
        if (!blamed) {
            return failures.givenUp("given up with others after " + error);
        }
        return uncertain == 0 ? failures.unsent(pending, error) : failures.sent(pending, error);
    }

    void reportOpen(Outcome outcome) {
        List<PendingRecord> left = open;
        open = List.of();
        left.forEach(pending -> pending.report(outcome));
    }
}
