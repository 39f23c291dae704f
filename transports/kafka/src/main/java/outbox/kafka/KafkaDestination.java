package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.util.TimeSource;

/** One Kafka cluster. It connects when the first event is delivered, on a thread of its own. */
public final class KafkaDestination implements Destination, Checkable {

    private static final int EVENTS_PER_KEY_MAX = 1_000;

    private final KafkaConfig config;
    private final RecordWriter writer;
    private final Failures failures;
    private final RecordSender sender;

    public KafkaDestination(KafkaConfig config) {
        this(config, TimeSource.SYSTEM);
    }

    KafkaDestination(KafkaConfig config, TimeSource time) {
        this.config = config;
        this.writer = new RecordWriter(config.topic(), config.writer());
        this.failures = new Failures(config.client());
        TopicLookup lookup = new TopicLookup(config.client(), config.creation(), time);
        String prefix = config.transactionalIdPrefix();
        this.sender = prefix == null
                ? new StreamSender(config.client(), failures, lookup, time)
                : new TransactionalSender(
                        config.client(), prefix, failures, new TopicScout(config.client(), lookup, time));
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
        List<Parcel> parcels = new ArrayList<>(deliveries.size());
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
                parcels.add(new Parcel(delivery, writer.write(delivery), index, receipt));
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

    /** Asks the cluster who its brokers are. */
    @Override
    public void check(Duration timeout) {
        try (Admin admin = Admin.create(config.client().admin(config.client().clientId() + "-check"))) {
            admin.describeCluster().nodes().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new OutboxException(failures.text(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new OutboxException(failures.place() + ": no answer within " + timeout.toMillis() + " ms", e);
        } catch (KafkaException e) {
            throw new OutboxException(failures.text(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxException(failures.place() + ": interrupted while waiting for an answer", e);
        }
    }

    @Override
    public void close() {
        sender.close();
    }

    @Override
    public String toString() {
        return failures.place();
    }
}
