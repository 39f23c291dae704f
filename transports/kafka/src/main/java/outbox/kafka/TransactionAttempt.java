package outbox.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import outbox.model.Outcome;

/**
 * The attempt to deliver the records of one call. All that go into a transaction arrive or none does. A record that
 * cannot go is left out, together with those behind it of its key, and the others try again at once without it.
 */
final class TransactionAttempt {

    private static final int TRANSACTIONS_MAX = 4;

    private final Failures failures;
    private final TopicScout scout;

    /** Those that have no outcome yet, in order. */
    private List<Parcel> open;

    private int transactions;

    /**
     * Whether each record has a transaction of its own. A broker refuses whole batches, and a producer gives what it has
     * not sent yet the error of what failed: so who is at fault cannot be told from the errors of many.
     */
    private boolean oneByOne;

    TransactionAttempt(List<Parcel> call, Failures failures, TopicScout scout) {
        this.open = call;
        this.failures = failures;
        this.scout = scout;
    }

    boolean hasOpen() {
        return !open.isEmpty();
    }

    /**
     * Leaves out records whose topic is not there.
     *
     * @throws KafkaException when that cannot be found out, because the broker is not there either
     */
    void leaveOutWhatCannotBeSent() {
        Set<String> topics = new LinkedHashSet<>();
        open.forEach(parcel -> topics.add(parcel.topic()));
        Map<String, KafkaException> troubles = scout.troubles(topics);
        if (!troubles.isEmpty()) {
            Map<Integer, Throwable> culprits = new HashMap<>();
            for (Parcel parcel : open) {
                KafkaException trouble = troubles.get(parcel.topic());
                if (trouble != null) {
                    culprits.put(parcel.index(), trouble);
                }
            }
            leaveOut(culprits);
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
            producer.commitTransaction();
        } catch (TimeoutException e) {
            scout.forgetAll();
            throw e; // It may be committed or not.
        } catch (KafkaException e) {
            // Fails if the producer cannot go on. Afterwards all records have answered.
            producer.abortTransaction();
            if (batch.size() > 1 && anyRejected(errors)) {
                oneByOne = true;
                return;
            }
            Map<Integer, Throwable> culprits = culprits(batch, errors, e);
            if (culprits.isEmpty()) {
                scout.forgetAll();
                throw e;
            }
            leaveOut(culprits);
            return;
        }
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
                throw late;
            }
        }
    }

    private static Map<Integer, Throwable> culprits(
            List<Parcel> batch, AtomicReferenceArray<Exception> errors, KafkaException commit) {
        Set<String> forbidden = new HashSet<>();
        if (commit.getCause() instanceof TopicAuthorizationException denied) {
            forbidden.addAll(denied.unauthorizedTopics());
        }
        Map<Integer, Throwable> culprits = new HashMap<>();
        for (int n = 0; n < batch.size(); n++) {
            Parcel parcel = batch.get(n);
            Exception error = errors.get(n);
            if (error != null && Failures.isDefinite(error)) {
                culprits.put(parcel.index(), error);
            } else if (forbidden.contains(parcel.topic())) {
                culprits.put(parcel.index(), commit);
            }
        }
        return culprits;
    }

    private static boolean anyRejected(AtomicReferenceArray<Exception> errors) {
        return IntStream.range(0, errors.length())
                .mapToObj(errors::get)
                .anyMatch(error -> error != null && Failures.isRejection(error));
    }

    private void leaveOut(Map<Integer, Throwable> culprits) {
        Map<String, Parcel> culpritOfKey = new HashMap<>();
        List<Parcel> rest = new ArrayList<>();
        for (Parcel parcel : open) {
            String key = parcel.key();
            Parcel before = key == null ? null : culpritOfKey.get(key);
            Throwable error = culprits.get(parcel.index());
            if (before != null) {
                parcel.report(failures.behind(before));
            } else if (error != null) {
                if (error instanceof UnknownTopicOrPartitionException) {
                    scout.forget(parcel.topic());
                }
                if (key != null) {
                    culpritOfKey.put(key, parcel);
                }
                parcel.report(failures.outcome(parcel, error));
            } else {
                rest.add(parcel);
            }
        }
        open = rest;
    }

    /** Reports what has no outcome yet. */
    void reportOpen(Outcome outcome) {
        List<Parcel> left = open;
        open = List.of();
        left.forEach(parcel -> parcel.report(outcome));
    }
}
