package catbox.bench.contest;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Progress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer of one topic, in a separate thread, that checks the events of one run. */
final class TopicReader implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final EventPlan plan;
    private final Sightings sightings;
    /** The first arrival of each event, by its position. Written by the reading thread; guarded by this. */
    private final long[] arrivedMicros;

    /** The position reached in each partition. Written by the reading thread; guarded by this. */
    private final Map<TopicPartition, Long> positions = new LinkedHashMap<>();

    private final Thread thread;

    /** Returns the current end of a topic, which is where the events of a run begin. */
    static Map<TopicPartition, Long> ends(Map<String, String> client, String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(client)) {
            return consumer.endOffsets(partitions(topic));
        }
    }

    /** Reads from these positions on. */
    TopicReader(Map<String, String> client, Map<TopicPartition, Long> from, EventPlan plan) {
        this.consumer = consumer(client);
        this.partitions = List.copyOf(from.keySet());
        this.plan = plan;
        this.sightings = new Sightings(plan.firstNumber(), plan.events());
        this.arrivedMicros = new long[plan.events()];
        consumer.assign(partitions);
        from.forEach(consumer::seek);
        thread = Thread.ofPlatform().name("consumer").start(this::read);
    }

    private static KafkaConsumer<byte[], byte[]> consumer(Map<String, String> client) {
        Map<String, Object> properties = new LinkedHashMap<>(client);
        properties.put("enable.auto.commit", false);
        properties.put("isolation.level", "read_committed");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, Arena.PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    private void read() {
        try (consumer) {
            while (true) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    long number = Event.numberIn(message.value());
                    see(new String(message.key(), StandardCharsets.UTF_8), number, Progress.nowMicros());
                }
                advance();
            }
        } catch (WakeupException closed) {
            // An interrupt asks it to end.
        }
    }

    private synchronized void see(String key, long number, long micros) {
        if (sightings.see(key, number)) {
            arrivedMicros[(int) (number - plan.firstNumber())] = micros;
            notifyAll();
        }
    }

    private synchronized void advance() {
        partitions.forEach(partition -> positions.put(partition, consumer.position(partition)));
        notifyAll();
    }

    /**
     * Waits until everything before these ends was read. Only then all duplicates are known. Returns false when the
     * time is over.
     */
    synchronized boolean awaitEnds(Map<TopicPartition, Long> ends, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!ends.entrySet().stream()
                .allMatch(each -> positions.getOrDefault(each.getKey(), 0L) >= each.getValue())) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0 || !thread.isAlive()) {
                return false;
            }
            wait(Math.min(millis, 200));
        }
        return true;
    }

    /** Waits until this many different events have arrived. Returns false when the time is over. */
    synchronized boolean await(int events, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (sightings.different() < events) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0 || !thread.isAlive()) {
                return false;
            }
            wait(Math.min(millis, 200));
        }
        return true;
    }

    synchronized long[] arrivedMicros() {
        return arrivedMicros.clone();
    }

    /** Returns duplicates, inversions, and the number of missing events. */
    synchronized Map<String, Object> findings(long events) {
        return sightings.findings(events);
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
