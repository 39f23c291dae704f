package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.TimeSource;

/**
 * Delivers to one Kafka cluster. It connects on a thread of its own when it is checked or the first event is delivered.
 */
public final class KafkaDestination implements Destination, Checkable {

    private static final int EVENTS_PER_KEY_MAX = 1_000;

    private final KafkaConfig config;
    private final RecordWriter writer;
    private final Failures failures;
    private final TopicProbe probe;
    private final RecordSender sender;

    /** The check in progress, if there is one. A broker that does not answer must not accumulate checks. */
    private final AtomicReference<@Nullable CompletableFuture<Void>> checking = new AtomicReference<>();

    public KafkaDestination(KafkaConfig config) {
        this(config, TimeSource.SYSTEM);
    }

    KafkaDestination(KafkaConfig config, TimeSource time) {
        ClientProperties client = config.client();
        this.config = config;
        this.writer = new RecordWriter(config.topic(), config.writer());
        this.failures = new Failures(client);
        this.probe = new TopicProbe(client);
        TopicLookup lookup = new TopicLookup(client, config.creation(), probe, time);
        TopicSettings settings = new TopicSettings(client, time);
        LateReasons reasons =
                new LateReasons(topic -> probe.partitions(topic, LateReasons.CHECK_MAX), settings::replicasMin);
        String prefix = config.transactionalIdPrefix();
        this.sender = prefix == null
                ? new StreamSender(
                        new StreamSession.Parts(client, failures, lookup, settings, new LateRecords(failures, reasons)))
                : new TransactionalSender(
                        new TransactionQueue.Parts(client, failures, new KnownTopics(lookup, reasons), settings, time),
                        prefix);
    }

    @Override
    public DestinationTraits traits() {
        // The producer's memory also holds keys, headers and half-filled batches. If payloads take at most half of it,
        // handing over a record does not wait for memory.
        DestinationTraits streaming = DestinationTraits.streaming()
                .withBytesInFlightMax(Math.max(1, config.client().bufferBytes() / 2));
        boolean severalPerKey =
                config.transactionalIdPrefix() != null || config.client().keepsKeyOrder();
        return severalPerKey ? streaming.withEventsPerKeyMax(EVENTS_PER_KEY_MAX) : streaming;
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        List<PendingRecord> records = new ArrayList<>(deliveries.size());
        Map<String, EventEnvelope> unwritable = new HashMap<>();
        for (int index = 0; index < deliveries.size(); index++) {
            Delivery delivery = deliveries.get(index);
            String key = delivery.event().orderingKey();
            EventEnvelope before = unwritable.get(key);
            if (before != null) {
                receipt.report(index, failures.behind(before));
                continue;
            }
            try {
                records.add(new PendingRecord(delivery, writer.write(delivery), index, receipt));
            } catch (IllegalArgumentException e) {
                receipt.report(index, new Outcome.Rejected(failures.place() + ": " + e.getMessage()));
                if (key != null) {
                    unwritable.put(key, delivery.event());
                }
            }
        }
        if (!records.isEmpty()) {
            sender.send(records);
        }
    }

    @Override
    public String addressOf(Delivery delivery) {
        return writer.topic(delivery);
    }

    /** Sends the cluster a request, connects the producer, and looks up the topic of all events if it is fixed. */
    @Override
    public void check(Duration timeout) {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> earlier = checking.compareAndExchange(null, begun);
        if (earlier == null) {
            Thread.ofVirtual().name("outbox-kafka-check").start(() -> check(begun, timeout));
        }
        try {
            (earlier == null ? begun : earlier).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new OutboxException(failures.text(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new OutboxException(failures.place() + ": no answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxException(failures.place() + ": interrupted while waiting for an answer", e);
        }
    }

    private void check(CompletableFuture<Void> check, Duration timeout) {
        try {
            probe.requireReachable(timeout);
            sender.warm(config.topic().isFixed() ? List.of(config.topic().toString()) : List.of())
                    .join();
            checking.set(null);
            check.complete(null);
        } catch (RuntimeException e) {
            checking.set(null);
            check.completeExceptionally(e);
        }
    }

    /** Returns the number of topic requests that the cluster received; for tests. */
    long topicQueries() {
        return probe.queries();
    }

    @Override
    public void close() {
        sender.close();
        probe.close();
    }

    @Override
    public String toString() {
        return failures.place();
    }
}
