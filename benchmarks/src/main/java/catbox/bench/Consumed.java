package catbox.bench;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics continuously, and records when each event arrived. */
final class Consumed implements AutoCloseable {

    static final String EVENT_ID = "outbox-event-id";
    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Long> nanosById = new ConcurrentHashMap<>();
    private final Thread thread;

    Consumed(Map<String, String> client, List<String> topics) {
        Map<String, Object> properties = new LinkedHashMap<>(client);
        properties.put("group.id", "latency");
        properties.put("auto.offset.reset", "earliest");
        consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(topics);
        thread = Thread.ofPlatform().name("consumer").start(this::read);
    }

    private void read() {
        try (consumer) {
            while (true) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    byte[] id = Objects.requireNonNull(message.headers().lastHeader(EVENT_ID))
                            .value();
                    nanosById.putIfAbsent(new String(id, StandardCharsets.UTF_8), System.nanoTime());
                }
            }
        } catch (WakeupException closed) {
            // An interrupt asks it to end.
        }
    }

    /** Returns when the event first arrived. */
    long await(String eventId) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        CountDownLatch pause = new CountDownLatch(1);
        while (!nanosById.containsKey(eventId)) {
            if (System.nanoTime() - end > 0 || pause.await(5, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("event " + eventId + " did not come");
            }
        }
        return Objects.requireNonNull(nanosById.remove(eventId));
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
