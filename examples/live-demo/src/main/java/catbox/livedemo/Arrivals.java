package catbox.livedemo;

import catbox.devservices.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The consumer. It prints every record that arrives, with its event's latency. */
final class Arrivals implements AutoCloseable {

    private static final int PARTITIONS = 3;
    private static final List<String> TOPICS = List.of(RelayFile.ORDERS, RelayFile.COUPONS);

    private final Console console;
    private final Journal journal;
    private final KafkaConsumer<String, String> consumer;
    private final Thread thread;
    private volatile boolean closing; // written by the closing thread

    private Arrivals(Console console, Journal journal, KafkaConsumer<String, String> consumer) {
        this.console = console;
        this.journal = journal;
        this.consumer = consumer;
        this.thread = Thread.ofPlatform().name("consumer").daemon().unstarted(this::consume);
    }

    /** Creates the topics, and reads them from their beginning. */
    static Arrivals of(KafkaBroker kafka, Console console, Journal journal) throws InterruptedException {
        createTopics(kafka);
        Map<String, Object> properties = new HashMap<>(kafka.clientProperties());
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", "false");
        KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
        // Without a group it tracks its own position, so every duplicate that it sees is a real one.
        consumer.assign(TOPICS.stream()
                .flatMap(topic -> IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition(topic, n)))
                .toList());
        return new Arrivals(console, journal, consumer);
    }

    void start() {
        thread.start();
    }

    private static void createTopics(KafkaBroker kafka) throws InterruptedException {
        try (Admin admin = Admin.create(new HashMap<>(kafka.clientProperties()))) {
            Stream<NewTopic> topics = TOPICS.stream().map(name -> new NewTopic(name, PARTITIONS, (short) 1));
            admin.createTopics(topics.toList()).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the topics could not be created", e);
        }
    }

    private void consume() {
        try (consumer) {
            while (!closing) {
                consumer.poll(Duration.ofMillis(100)).forEach(this::arrived);
            }
        }
    }

    private void arrived(ConsumerRecord<String, String> message) {
        // The time of publication: a moment before the commit, by this machine's clock.
        Instant published = Instant.parse(header(message, "outbox-occurred-at"));
        Duration latency = Duration.between(published, Instant.now());
        Journal.Arrival arrival = new Journal.Arrival(
                header(message, "outbox-event-id"),
                header(message, "outbox-event-type"),
                message.topic(),
                message.key(),
                latency);
        boolean isNew = journal.arrived(arrival);
        console.line(
                "  %s  %-7s %4s  %-15s published %s → consumed, %8.1f ms%s",
                LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
                message.topic().replaceFirst("s$", ""),
                message.key(),
                arrival.type(),
                LocalTime.ofInstant(published, ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS),
                latency.toNanos() / 1e6,
                isNew ? "" : "  (again: the same event id)");
    }

    private static String header(ConsumerRecord<String, String> message, String name) {
        Header header = message.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
