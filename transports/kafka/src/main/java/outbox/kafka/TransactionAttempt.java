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
 * The attempt to deliver the records of one call. All that go into a transaction arrive or none does. A record that
 * cannot go is left out, together with those behind it of its key, and the others try again at once without it.
 */
final class TransactionAttempt {

    /**
     * So long after its hand-over a call may begin another transaction. That one may take as long as the producer's
     * delivery.timeout.ms, and a relay waits 35 seconds for an outcome.
     */
    private static final Duration TIME_MAX = Duration.ofSeconds(10);

    private final Failures failures;
    private final KnownTopics topics;
    private final TopicSettings settings;
    private final TimeSource time;
    private final long start;

    /** Those that have no outcome yet, in order. */
    private List<PendingRecord> open;

    private int transactions;

    /**
     * How many of the open records, from the first on, are known to have one at fault among them; 0: none is known. A
     * broker refuses whole batches, and a producer gives what it has not sent yet the error of what failed: so who is at
     * fault cannot be told from the errors of many. It is found by halves.
     */
    private int suspects;

    /** How many of the open records, from the first on, are in a transaction that may have been committed. */
    private int inTransaction;

    TransactionAttempt(List<PendingRecord> call, TransactionalSlot.Parts parts) {
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
     * Leaves out records that are too large, and those whose topic is not there.
     *
     * @throws KafkaException when that cannot be found out, because the broker is not there either
     */
    void leaveOutWhatCannotBeSent() {
        Set<String> named = new LinkedHashSet<>();
        open.forEach(parcel -> named.add(parcel.topic()));
        named.forEach(settings::await);
        Map<String, KafkaException> troubles = topics.troubles(named);
        Map<Integer, Throwable> culprits = new HashMap<>();
        for (PendingRecord parcel : open) {
            KafkaException trouble = troubles.get(parcel.topic());
            Exception refusal = trouble == null ? settings.refusal(parcel) : trouble;
            if (refusal != null) {
                culprits.put(parcel.index(), refusal);
            }
        }
        if (!culprits.isEmpty()) {
            leaveOut(culprits, failures::unsent);
        }
    }

    /**
     * Sends what is open as one transaction, or the first half of what has one at fault. Afterwards all that was sent is
     * delivered, or the culprits have their outcomes and the others are still open; or all are, to be sent in halves.
     * When the time for that is over, what is open is given up.
     *
     * @throws KafkaException when it is not certain what became of the transaction, or no culprit can be told
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
            // Fails if the producer cannot go on. Afterwards all records have answered.
            producer.abortTransaction();
            if (batch.size() > 1 && anyBlamed(errors)) {
                inTransaction = 0;
                suspects = batch.size();
                return;
            }
            suspects = 0;
            Map<Integer, Throwable> culprits = culprits(batch, errors, e);
            inTransaction = culprits.isEmpty() ? inTransaction : 0;
            leaveOut(culprits, failures::sent);
            if (culprits.isEmpty() && !leaveOutWhatIsLate(batch, places, errors)) {
                throw e;
            }
            leaveOutWhatCannotBeSent(); // What is wrong with a culprit may be wrong with others too.
            return;
        }
        inTransaction = 0;
        suspects = Math.max(0, suspects - batch.size());
        open = open.subList(batch.size(), open.size());
        for (int n = 0; n < batch.size(); n++) {
            batch.get(n).delivered(places.get(n));
        }
    }

    /** Ends with the first record that could not be handed over in time: each further one would wait as long again. */
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
                if (late.getCause() instanceof ApiException ofTheTopic) {
                    errors.set(n, ofTheTopic);
                    throw new KafkaException(ofTheTopic);
                }
                throw late;
            }
        }
    }

    private static Map<Integer, Throwable> culprits(
            List<PendingRecord> batch, AtomicReferenceArray<Exception> errors, KafkaException commit) {
        Map<Integer, Throwable> culprits = new HashMap<>();
        for (int n = 0; n < batch.size(); n++) {
            PendingRecord parcel = batch.get(n);
            Exception error = errors.get(n);
            if (error != null && isToBlame(error, parcel, batch.size() == 1)) {
                culprits.put(parcel.index(), error);
            } else if (commit.getCause() instanceof TopicAuthorizationException denied
                    && denied.unauthorizedTopics().contains(parcel.topic())) {
                culprits.put(parcel.index(), commit);
            }
        }
        return culprits;
    }

    /** A producer does not say why records are late: their topics may be gone, which it would not notice for minutes. */
    private boolean leaveOutWhatIsLate(
            List<PendingRecord> batch,
            AtomicReferenceArray<RecordMetadata> places,
            AtomicReferenceArray<Exception> errors) {
        topics.forgetAll();
        Map<String, IntFunction<@Nullable Exception>> reasons = new HashMap<>();
        Map<Integer, Throwable> late = new HashMap<>();
        for (int n = 0; n < batch.size(); n++) {
            Exception error = errors.get(n);
            if (error != null && Meaning.of(error) == Meaning.UNANSWERED) {
                PendingRecord parcel = batch.get(n);
                Exception reason = reasons.computeIfAbsent(parcel.topic(), topics::reasonsOfLate)
                        .apply(places.get(n).partition());
                late.put(parcel.index(), reason == null ? error : reason);
            }
        }
        leaveOut(late, failures::sent);
        inTransaction = late.isEmpty() ? inTransaction : 0;
        return !late.isEmpty();
    }

    private static boolean isToBlame(Exception error, PendingRecord parcel, boolean alone) {
        // Others of the transaction may have been given the same error.
        if (error instanceof TopicAuthorizationException denied
                && !denied.unauthorizedTopics().isEmpty()) {
            return denied.unauthorizedTopics().contains(parcel.topic());
        }
        return switch (Meaning.of(error)) {
            case REJECTED, ADDRESS -> true;
            case FAILED -> alone;
            case DESTINATION, UNANSWERED, FORBIDDEN, GIVEN_UP -> false;
        };
    }

    private static boolean anyBlamed(AtomicReferenceArray<Exception> errors) {
        return IntStream.range(0, errors.length()).mapToObj(errors::get).anyMatch(error -> {
            Meaning meaning = error == null ? Meaning.GIVEN_UP : Meaning.of(error);
            return meaning == Meaning.REJECTED || meaning == Meaning.FAILED;
        });
    }

    private void leaveOut(Map<Integer, Throwable> culprits, BiFunction<PendingRecord, Throwable, Outcome> meaning) {
        Map<String, PendingRecord> culpritOfKey = new HashMap<>();
        List<PendingRecord> rest = new ArrayList<>();
        for (PendingRecord parcel : open) {
            String key = parcel.key();
            PendingRecord before = key == null ? null : culpritOfKey.get(key);
            Throwable error = culprits.get(parcel.index());
            if (before != null) {
                parcel.report(failures.behind(before));
            } else if (error != null) {
                learn(parcel, error);
                if (key != null) {
                    culpritOfKey.put(key, parcel);
                }
                parcel.report(meaning.apply(parcel, error));
            } else {
                rest.add(parcel);
            }
        }
        open = rest;
    }

    private void learn(PendingRecord parcel, Throwable error) {
        if (Meaning.of(error) == Meaning.ADDRESS) {
            topics.forget(parcel.topic());
        } else if (error instanceof RecordTooLargeException) {
            settings.refused(parcel, error);
        }
    }

    /** Reports what has no outcome yet, after an error that no record is to blame for, or that cannot be attributed. */
    void failed(RuntimeException error) {
        int uncertain = inTransaction;
        List<PendingRecord> left = open;
        open = List.of();
        for (int n = 0; n < left.size(); n++) {
            left.get(n).report(outcome(left.get(n), error, n, uncertain));
        }
    }

    private Outcome outcome(PendingRecord parcel, RuntimeException error, int position, int uncertain) {
        boolean blamed = switch (Meaning.of(error)) {
            case DESTINATION, FORBIDDEN -> true;
            case UNANSWERED -> uncertain == 0 || position < uncertain;
            case REJECTED, ADDRESS, FAILED -> uncertain == 0 || position == 0;
            case GIVEN_UP -> false;
        };
        if (!blamed) {
            return failures.givenUp("given up with others after " + error);
        }
        return uncertain == 0 ? failures.unsent(parcel, error) : failures.sent(parcel, error);
    }

    void reportOpen(Outcome outcome) {
        List<PendingRecord> left = open;
        open = List.of();
        left.forEach(parcel -> parcel.report(outcome));
    }
}
