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
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads inserts into the outbox table from the write ahead log, in order. Rows are never updated.
 *
 * <p>The log contains transactions, which cost its reader more than their rows. Therefore a backlog has one transaction
 * for each event, with the business row, as an application writes it. A variant has a thousand events per transaction,
 * to show the difference.
 */
public final class DebeziumContender implements Contender {

    private static final int APPEND_BATCH = 1_000;
    private static final String BULK = "debezium-bulk";

    // Sending the inserts individually would take minutes. Commits are asynchronous, which does not change the log.
    private static final String APPEND_SINGLY =
            "CREATE OR REPLACE PROCEDURE append_singly(numbers BIGINT[], ids UUID[], keys TEXT[], payloads TEXT[])"
                    + " LANGUAGE plpgsql AS $$ DECLARE one RECORD; BEGIN"
                    + " FOR one IN SELECT * FROM unnest(numbers, ids, keys, payloads) AS u(no, id, key, payload) LOOP"
                    + " INSERT INTO orders (no, item) VALUES (one.no, 'a pound of coffee and a box of biscuits');"
                    + " INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)"
                    + " VALUES (one.id, 'Order', one.key, 'OrderPlaced', one.payload);"
                    + " COMMIT; END LOOP; END $$";

    private static final String OBJECT_IN_USE = "55006";
    private static final int ATTEMPTS = 300;

    private final HikariDataSource dataSource;
    private final KafkaSender sender;
    private final Place place;
    private @Nullable DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
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
                "CREATE PUBLICATION outbox FOR TABLE outboxevent",
                APPEND_SINGLY);
    }

    public static void main(String[] args) {
        Host.run(args, DebeziumContender::new);
    }

    @Override
    public String settings() {
        return Libraries.jarOf(DebeziumEngine.class) + ", embedded engine with the outbox event router; sends a batch,"
                + " flushes and waits; a backlog of "
                + (isBulk() ? "1,000 events to a transaction" : "one event to a transaction, with its business row")
                + "; " + new TreeMap<>(EngineProperties.SETTINGS);
    }

    // Each run has its own slot, so that it never reads what others wrote to the log in between.
    @Override
    public void clear() throws SQLException, InterruptedException {
        dropSlot();
        Business.execute(
                dataSource,
                "TRUNCATE outboxevent, orders",
                "SELECT pg_create_logical_replication_slot('outbox', 'pgoutput')");
    }

    // The server notices the engine's end only after a moment.
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

    private boolean isBulk() {
        return place.variant().equals(BULK);
    }

    @Override
    public void append(EventPlan plan) throws SQLException {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            statement.execute("SET synchronous_commit = off");
            for (int first = 0; first < plan.events(); first += APPEND_BATCH) {
                List<Event> events = IntStream.range(first, Math.min(plan.events(), first + APPEND_BATCH))
                        .mapToObj(plan::at)
                        .toList();
                if (isBulk()) {
                    appendTogether(conn, events);
                } else {
                    appendSingly(conn, events);
                }
            }
            statement.execute("RESET synchronous_commit");
        }
    }

    private static void appendTogether(Connection conn, List<Event> events) throws SQLException {
        conn.setAutoCommit(false);
        try (PreparedStatement insert = insert(conn)) {
            for (Event event : events) {
                fill(insert, event);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        conn.commit();
        conn.setAutoCommit(true);
    }

    private static void appendSingly(Connection conn, List<Event> events) throws SQLException {
        try (PreparedStatement call = conn.prepareStatement("CALL append_singly(?, ?, ?, ?)")) {
            call.setArray(1, array(conn, "bigint", events, Event::number));
            call.setArray(2, array(conn, "uuid", events, event -> UUID.randomUUID()));
            call.setArray(3, array(conn, "text", events, Event::key));
            call.setArray(4, array(conn, "text", events, Event::payload));
            call.execute();
        }
    }

    private static Array array(Connection conn, String type, List<Event> events, Function<Event, Object> part)
            throws SQLException {
        return conn.createArrayOf(type, events.stream().map(part).toArray());
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
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
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
            List<RecordChangeEvent<SourceRecord>> records,
            DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
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

    private CompletableFuture<RecordMetadata> send(RecordChangeEvent<SourceRecord> message) {
        CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
        SourceRecord event = message.record();
        // Its consumers identify the event by this header.
        Object id = event.headers().lastWithName("id").value();
        var unused = sender.send(text(event.key()), text(event.value()), text(id), (metadata, e) -> {
            if (e == null) {
                sent.complete(metadata);
            } else {
                sent.completeExceptionally(e);
            }
        });
        return sent;
    }

    private static String text(Object part) {
        return part.toString();
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
