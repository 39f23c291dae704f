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

/** One Kafka cluster. It connects when it is checked or the first event is delivered, on a thread of its own. */
public final class KafkaDestination implements Destination, Checkable {

    private static final int EVENTS_PER_KEY_MAX = 1_000;

    private final KafkaConfig config;
    private final RecordWriter writer;
    private final Failures failures;
    private final TopicProbe scout;
    private final RecordSender sender;

    /** The check that has not ended yet, if there is one: a broker that does not answer must not gather them. */
    private final AtomicReference<@Nullable CompletableFuture<Void>> checking = new AtomicReference<>();

    public KafkaDestination(KafkaConfig config) {
        this(config, TimeSource.SYSTEM);
    }

    KafkaDestination(KafkaConfig config, TimeSource time) {
        ClientProperties client = config.client();
        this.config = config;
        this.writer = new RecordWriter(config.topic(), config.writer());
        this.failures = new Failures(client);
        this.scout = new TopicProbe(client);
        TopicLookup lookup = new TopicLookup(client, config.creation(), scout, time);
        TopicSettings settings = new TopicSettings(client, time);
        LateReasons reasons =
                new LateReasons(topic -> scout.partitions(topic, LateReasons.PATIENCE), settings::replicasMin);
        String prefix = config.transactionalIdPrefix();
        this.sender = prefix == null
                ? new StreamSender(
                        new StreamSession.Parts(client, failures, lookup, settings, new LateRecords(failures, reasons)))
                : new TransactionalSender(
                        new TransactionalSlot.Parts(client, failures, new KnownTopics(lookup, reasons), settings, time),
                        prefix);
    }

    @Override
    public DestinationTraits traits() {
        // The producer's memory holds keys, headers and half filled batches too. With half of it for payloads, handing
        // over a record does not wait for memory.
        DestinationTraits streaming = DestinationTraits.streaming()
                .withBytesInFlightMax(Math.max(1, config.client().bufferBytes() / 2));
        boolean severalPerKey =
                config.transactionalIdPrefix() != null || config.client().keepsTheOrderOfAKey();
        return severalPerKey ? streaming.withEventsPerKeyMax(EVENTS_PER_KEY_MAX) : streaming;
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        List<PendingRecord> parcels = new ArrayList<>(deliveries.size());
        Map<String, EventEnvelope> unwritten = new HashMap<>();
        for (int index = 0; index < deliveries.size(); index++) {
            Delivery delivery = deliveries.get(index);
            String key = delivery.event().orderingKey();
            EventEnvelope before = unwritten.get(key);
            if (before != null) {
                receipt.report(index, failures.behind(before));
                continue;
            }
            try {
                parcels.add(new PendingRecord(delivery, writer.write(delivery), index, receipt));
            } catch (IllegalArgumentException e) {
                receipt.report(index, new Outcome.Rejected(failures.place() + ": " + e.getMessage()));
                if (key != null) {
                    unwritten.put(key, delivery.event());
                }
            }
        }
        if (!parcels.isEmpty()) {
            sender.send(parcels);
        }
    }

    @Override
    public String addressOf(Delivery delivery) {
        return writer.topic(delivery);
    }

    /** Asks the cluster something, connects the producer, and makes the topic known that all events go to, if there is one. */
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
            scout.reach(timeout);
            sender.warm(config.topic().isFixed() ? List.of(config.topic().toString()) : List.of())
                    .join();
            checking.set(null);
            check.complete(null);
        } catch (RuntimeException e) {
            checking.set(null);
            check.completeExceptionally(e);
        }
    }

    /** How many questions about topics, existing or not, the cluster was asked; for tests. */
    long topicQuestions() {
        return scout.questions();
    }

    @Override
    public void close() {
        sender.close();
        scout.close();
    }

    @Override
    public String toString() {
        return failures.place();
    }
}
