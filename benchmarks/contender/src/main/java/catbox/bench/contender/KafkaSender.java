package catbox.bench.contender;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer with the safety settings of all contenders: every replica acknowledges, and a retry writes nothing twice.
 */
public final class KafkaSender implements AutoCloseable {

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    /**
     * @param lingerMillis zero if the contender waits for each send
     */
    public KafkaSender(Place place, int lingerMillis) {
        this.topic = place.topic().name();
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                place.topic().bootstrapServers(),
                "acks",
                "all",
                "enable.idempotence",
                true,
                "batch.size",
                128 << 10,
                "linger.ms",
                lingerMillis));
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        producer.partitionsFor(topic); // So that no run includes connecting.
    }

    public Future<RecordMetadata> send(String key, String payload, Callback answered) {
        return producer.send(message(key, payload), answered);
    }

    /** Sends a record with a header that identifies the event. */
    public Future<RecordMetadata> send(String key, String payload, String id, Callback answered) {
        ProducerRecord<byte[], byte[]> message = message(key, payload);
        message.headers().add("id", id.getBytes(StandardCharsets.UTF_8));
        return producer.send(message, answered);
    }

    private ProducerRecord<byte[], byte[]> message(String key, String payload) {
        return new ProducerRecord<>(
                topic, key.getBytes(StandardCharsets.UTF_8), payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a record, and returns when Kafka has acknowledged it. */
    public void sendAndWait(String key, String payload) {
        try {
            send(key, payload, (metadata, e) -> {}).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not take an event", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Kafka takes an event", e);
        }
    }

    public void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }
}
