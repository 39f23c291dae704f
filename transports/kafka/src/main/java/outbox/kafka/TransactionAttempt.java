package outbox.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import outbox.model.Outcome;

/**
 * The attempt to deliver the records of one call. All that go into a transaction arrive or none does. A record that
 * cannot go is left out, together with those behind it of its key, and the others try again at once without it.
 */
final class TransactionAttempt {

    private static final int TRANSACTIONS_MAX = 4;

    private final Failures failures;
    private final KnownTopics topics;
    private final TopicSettings settings;

    /** Those that have no outcome yet, in order. */
    private List<Parcel> open;

    private int transactions;

    /**
     * Whether each record has a transaction of its own. A broker refuses whole batches, and a producer gives what it has
     * not sent yet the error of what failed: so who is at fault cannot be told from the errors of many.
     */
    private boolean oneByOne;

    /** How many of the open records, from the first on, are in a transaction that may have been committed. */
    private int inTransaction;

    TransactionAttempt(List<Parcel> call, TransactionalSlot.Parts parts) {
        this.open = call;
        this.failures = parts.failures();
        this.topics = parts.topics();
        this.settings = parts.settings();
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
        Map<String, KafkaException> troubles = topics.troubles(named);
        Map<Integer, Throwable> culprits = new HashMap<>();
        for (Parcel parcel : open) {
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
     * Sends what is open as one transaction, or the first of it when one was at fault. Afterwards all of it is delivered,
     * or the culprits have their outcomes and the others are still open; or all are, to be sent once more one by one.
     *
     * @throws KafkaException when it is not certain what became of the transaction, or no culprit can be told
     */
    void run(Producer<byte[], byte[]> producer) {
        if (transactions == TRANSACTIONS_MAX && !oneByOne) {
            throw new KafkaException("records of the same call failed one after another in " + TRANSACTIONS_MAX
                    + " transactions, the others are tried again later");
        }
        transactions++;
        List<Parcel> batch = oneByOne ? List.of(open.get(0)) : open;
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
                oneByOne = true;
                return;
            }
            Map<Integer, Throwable> culprits = culprits(batch, errors, e);
            inTransaction = culprits.isEmpty() ? inTransaction : 0;
            leaveOut(culprits, failures::sent);
            if (culprits.isEmpty() && !leaveOutWhatIsLate(batch, errors)) {
                throw e;
            }
            return;
        }
        inTransaction = 0;
        open = open.subList(batch.size(), open.size());
        for (int n = 0; n < batch.size(); n++) {
            batch.get(n).delivered(places.get(n));
        }
    }

    /** Ends with the first record that could not be handed over in time: each further one would wait as long again. */
    private void send(
            Producer<byte[], byte[]> producer,
            List<Parcel> batch,
            AtomicReferenceArray<RecordMetadata> places,
            AtomicReferenceArray<Exception> errors) {
        for (int n = 0; n < batch.size(); n++) {
            int index = n;
            var unused = producer.send(batch.get(n).message(), (metadata, error) -> {
                if (error == null) {
                    places.set(index, metadata);
                } else {
                    errors.set(index, error);
                }
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
            List<Parcel> batch, AtomicReferenceArray<Exception> errors, KafkaException commit) {
        Map<Integer, Throwable> culprits = new HashMap<>();
        for (int n = 0; n < batch.size(); n++) {
            Parcel parcel = batch.get(n);
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
    private boolean leaveOutWhatIsLate(List<Parcel> batch, AtomicReferenceArray<Exception> errors) {
        topics.forgetAll();
        Map<Integer, Throwable> late = new HashMap<>();
        for (int n = 0; n < batch.size(); n++) {
            Exception error = errors.get(n);
            if (error != null && Meaning.of(error) == Meaning.UNANSWERED) {
                String topic = batch.get(n).topic();
                KafkaException trouble = topics.troubles(Set.of(topic)).get(topic);
                late.put(batch.get(n).index(), trouble == null ? error : trouble);
            }
        }
        leaveOut(late, failures::sent);
        inTransaction = late.isEmpty() ? inTransaction : 0;
        return !late.isEmpty();
    }

    private static boolean isToBlame(Exception error, Parcel parcel, boolean alone) {
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

    private void leaveOut(Map<Integer, Throwable> culprits, BiFunction<Parcel, Throwable, Outcome> meaning) {
        Map<String, Parcel> culpritOfKey = new HashMap<>();
        List<Parcel> rest = new ArrayList<>();
        for (Parcel parcel : open) {
            String key = parcel.key();
            Parcel before = key == null ? null : culpritOfKey.get(key);
            Throwable error = culprits.get(parcel.index());
            if (before != null) {
                parcel.report(failures.behind(before));
            } else if (error != null) {
                learn(parcel.topic(), error);
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

    private void learn(String topic, Throwable error) {
        if (Meaning.of(error) == Meaning.ADDRESS) {
            topics.forget(topic);
        } else if (error instanceof RecordTooLargeException) {
            settings.refused(topic, error);
        }
    }

    /** Reports what has no outcome yet, after an error that no record is to blame for, or that cannot be attributed. */
    void failed(RuntimeException error) {
        int uncertain = inTransaction;
        List<Parcel> left = open;
        open = List.of();
        for (int n = 0; n < left.size(); n++) {
            left.get(n).report(outcome(left.get(n), error, n, uncertain));
        }
    }

    private Outcome outcome(Parcel parcel, RuntimeException error, int position, int uncertain) {
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
        List<Parcel> left = open;
        open = List.of();
        left.forEach(parcel -> parcel.report(outcome));
    }
}
