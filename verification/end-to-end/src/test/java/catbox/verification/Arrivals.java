package catbox.verification;

import catbox.devservices.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads topics of one partition from the beginning, and remembers what came, in the order in which it came. */
final class Arrivals implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final KafkaConsumer<String, String> consumer;
    private final List<Arrival> arrivals = new ArrayList<>();

    /** A message as a consumer sees it. */
    record Arrival(String topic, String key, String eventId, String eventType) {}

    Arrivals(KafkaBroker broker, String... topics) {
        Map<String, Object> properties = new LinkedHashMap<>(broker.clientProperties());
        properties.put("auto.offset.reset", "earliest");
        consumer = new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(topics).stream()
                .map(topic -> new TopicPartition(topic, 0))
                .toList());
    }

    /** Reads on until what has come is enough, or patience is over. */
    List<Arrival> until(Predicate<List<Arrival>> enough) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!enough.test(arrivals) && System.nanoTime() - end < 0) {
            for (ConsumerRecord<String, String> message : consumer.poll(Duration.ofMillis(200))) {
                arrivals.add(new Arrival(
                        message.topic(),
                        message.key(),
                        header(message, "outbox-event-id"),
                        header(message, "outbox-event-type")));
            }
        }
        return List.copyOf(arrivals);
    }

    private static String header(ConsumerRecord<String, String> message, String name) {
        Header header = Objects.requireNonNull(message.headers().lastHeader(name), "no header " + name);
        return new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
