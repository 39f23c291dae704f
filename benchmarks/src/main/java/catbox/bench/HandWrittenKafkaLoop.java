package catbox.bench;

import catbox.bench.HandWrittenLoop.Row;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import outbox.spi.SettleRequest.DoneRows;

/**
 * Sends rows of the table to Kafka with hand-written code, as fast as possible: reading, sending and settling overlap.
 * It never retries or fences, and would lose rows of transactions that commit late. With headers its consumers can
 * recognise duplicates; without, they cannot.
 */
final class HandWrittenKafkaLoop implements AutoCloseable {

    private static final int BATCHES_IN_FLIGHT = 8;
    private static final List<Row> END = List.of();

    private final Bench bench;
    private final String topic;
    private final boolean transactional;
    private final boolean withHeaders;
    private final KafkaProducer<byte[], byte[]> producer;

    HandWrittenKafkaLoop(
            Bench bench, String bootstrapServers, String topic, boolean transactional, boolean withHeaders) {
        this.bench = bench;
        this.topic = topic;
        this.transactional = transactional;
        this.withHeaders = withHeaders;
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "acks",
                "all",
                "enable.idempotence",
                true,
                "batch.size",
                128 << 10,
                "linger.ms",
                5));
        if (transactional) {
            properties.put("transactional.id", "by-hand");
        }
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        if (transactional) {
            producer.initTransactions();
        }
        producer.partitionsFor(topic);
    }

    /** Drains the table and returns the nanoseconds that took. */
    long drain(DoneRows doneRows) throws SQLException, InterruptedException {
        long began = System.nanoTime();
        if (transactional) {
            batchByBatch(doneRows);
        } else {
            overlapping(doneRows);
        }
        return System.nanoTime() - began;
    }

    private void batchByBatch(DoneRows doneRows) throws SQLException, InterruptedException {
        try (Connection conn = bench.dataSource.getConnection();
                HandWrittenLoop.Settling settling = new HandWrittenLoop.Settling(conn, doneRows)) {
            HandWrittenLoop.read(conn, withHeaders, batch -> {
                producer.beginTransaction();
                for (Row row : batch) {
                    var unused = producer.send(record(row)); // The commit waits for it, and fails if it did.
                }
                producer.commitTransaction();
                settling.settle(batch);
            });
        }
    }

    private void overlapping(DoneRows doneRows) throws SQLException, InterruptedException {
        BlockingQueue<List<Row>> acknowledged = new ArrayBlockingQueue<>(BATCHES_IN_FLIGHT);
        Semaphore inFlight = new Semaphore(BATCHES_IN_FLIGHT);
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        Thread settler = Thread.ofPlatform().start(() -> settle(acknowledged, inFlight, doneRows, failures));
        try (Connection conn = bench.dataSource.getConnection()) {
            HandWrittenLoop.read(conn, withHeaders, batch -> {
                inFlight.acquire();
                AtomicInteger open = new AtomicInteger(batch.size());
                for (Row row : batch) {
                    var unused = producer.send(record(row), (metadata, e) -> {
                        if (e != null) {
                            failures.add(e);
                        }
                        if (open.decrementAndGet() == 0) {
                            acknowledged.add(batch);
                        }
                    });
                }
            });
        }
        inFlight.acquire(BATCHES_IN_FLIGHT);
        acknowledged.put(END);
        settler.join();
        if (!failures.isEmpty()) {
            throw new IllegalStateException(failures.peek());
        }
    }

    private void settle(
            BlockingQueue<List<Row>> acknowledged, Semaphore inFlight, DoneRows doneRows, Queue<Exception> failures) {
        try (Connection conn = bench.dataSource.getConnection();
                HandWrittenLoop.Settling settling = new HandWrittenLoop.Settling(conn, doneRows)) {
            for (List<Row> batch = acknowledged.take(); !batch.equals(END); batch = acknowledged.take()) {
                settling.settle(batch);
                inFlight.release();
            }
        } catch (SQLException | InterruptedException e) {
            failures.add(e);
        }
    }

    private ProducerRecord<byte[], byte[]> record(Row row) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, utf8(row.key()), utf8(row.payload()));
        row.headers().forEach((name, value) -> message.headers().add(name, utf8(value)));
        return message;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close();
    }
}
