package catbox.bench.debezium;

import catbox.bench.contender.Business;
import catbox.bench.contender.Contender;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Host;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Libraries;
import catbox.bench.contender.Place;
import catbox.bench.contender.Progress;
import com.zaxxer.hikari.HikariDataSource;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.SimpleString;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Reads what is inserted into the outbox table from the write ahead log, in order. Rows are never touched again. */
public final class DebeziumContender implements Contender {

    private static final int APPEND_BATCH = 1_000;
    private static final String OBJECT_IN_USE = "55006";
    private static final int ATTEMPTS = 300;

    private final HikariDataSource dataSource;
    private final KafkaSender sender;
    private final Place place;
    private @Nullable DebeziumEngine<ChangeEvent<String, String>> engine;
    private @Nullable Thread thread;

    private DebeziumContender(Place place) throws SQLException {
        this.place = place;
        this.dataSource = Business.dataSource(place);
        this.sender = new KafkaSender(place, 5);
        Business.execute(
                dataSource,
                "CREATE TABLE IF NOT EXISTS outboxevent (id UUID PRIMARY KEY, aggregatetype TEXT NOT NULL,"
                        + " aggregateid TEXT NOT NULL, type TEXT NOT NULL, payload TEXT)",
                "DROP PUBLICATION IF EXISTS outbox",
                "CREATE PUBLICATION outbox FOR TABLE outboxevent");
    }

    public static void main(String[] args) {
        Host.run(args, DebeziumContender::new);
    }

    @Override
    public String settings() {
        return Libraries.jarOf(DebeziumEngine.class) + ", embedded engine with the outbox event router; sends a batch,"
                + " flushes and waits; " + new TreeMap<>(EngineProperties.SETTINGS);
    }

    // With a slot of its own for each run, so that it never reads what others wrote to the log in between.
    @Override
    public void clear() throws SQLException, InterruptedException {
        dropSlot();
        Business.execute(
                dataSource,
                "TRUNCATE outboxevent, orders",
                "SELECT pg_create_logical_replication_slot('outbox', 'pgoutput')");
    }

    // The server notices only after a moment that the engine is gone.
    private void dropSlot() throws SQLException, InterruptedException {
        for (int attempt = 1; true; attempt++) {
            try {
                Business.execute(
                        dataSource,
                        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'outbox'");
                return;
            } catch (SQLException e) {
                if (!e.getSQLState().equals(OBJECT_IN_USE) || attempt == ATTEMPTS) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    @Override
    public void append(EventPlan plan) throws SQLException {
        for (int begin = 0; begin < plan.events(); begin += APPEND_BATCH) {
            int first = begin;
            Business.transaction(dataSource, conn -> {
                try (PreparedStatement insert = insert(conn)) {
                    for (int i = first; i < Math.min(plan.events(), first + APPEND_BATCH); i++) {
                        fill(insert, plan.at(i));
                        insert.addBatch();
                    }
                    insert.executeBatch();
                }
            });
        }
    }

    private static PreparedStatement insert(Connection conn) throws SQLException {
        return conn.prepareStatement("INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)"
                + " VALUES (?, 'Order', ?, 'OrderPlaced', ?)");
    }

    private static void fill(PreparedStatement insert, Event event) throws SQLException {
        insert.setObject(1, UUID.randomUUID());
        insert.setString(2, event.key());
        insert.setString(3, event.payload());
    }

    @Override
    public void start(Progress progress) {
        engine = DebeziumEngine.create(SimpleString.class)
                .using(EngineProperties.of(place))
                .using((success, message, error) -> {
                    if (!success) {
                        System.err.println("the engine ended: " + message + ", " + error);
                    }
                })
                .notifying((records, committer) -> deliver(progress, records, committer))
                .build();
        thread = Thread.ofPlatform().name("debezium").start(engine);
    }

    private void deliver(
            Progress progress,
            List<ChangeEvent<String, String>> records,
            DebeziumEngine.RecordCommitter<ChangeEvent<String, String>> committer)
            throws InterruptedException {
        progress.began();
        List<CompletableFuture<RecordMetadata>> sent =
                records.stream().map(this::send).toList();
        sender.flush();
        try {
            for (int i = 0; i < records.size(); i++) {
                sent.get(i).get();
                committer.markProcessed(records.get(i));
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not take an event", e.getCause());
        }
        committer.markBatchFinished();
        progress.settled(records.size());
    }

    private CompletableFuture<RecordMetadata> send(ChangeEvent<String, String> message) {
        CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
        var unused = sender.send(message.key(), message.value(), (metadata, e) -> {
            if (e == null) {
                sent.complete(metadata);
            } else {
                sent.completeExceptionally(e);
            }
        });
        return sent;
    }

    @Override
    public void stop() throws IOException, InterruptedException, SQLException {
        Objects.requireNonNull(engine, "not started").close();
        Objects.requireNonNull(thread).join();
        dropSlot();
    }

    @Override
    public void business(long number) throws SQLException {
        Business.transaction(dataSource, conn -> Business.insertOrder(conn, number));
    }

    @Override
    public void publish(Event event) throws SQLException {
        Business.transaction(dataSource, conn -> {
            Business.insertOrder(conn, event.number());
            try (PreparedStatement insert = insert(conn)) {
                fill(insert, event);
                insert.executeUpdate();
            }
        });
    }

    @Override
    public void close() {
        sender.close();
        dataSource.close();
    }
}
