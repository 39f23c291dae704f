package catbox.bench.own;

import catbox.bench.contender.Business;
import catbox.bench.contender.Contender;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Place;
import catbox.bench.contender.Progress;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.Outbox;
import outbox.OutboxConfig;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;

/**
 * Runs the dispatcher in the publishing process. It drains no backlog here, because events that it missed are the
 * relay's work.
 */
final class CatboxDispatcher implements Contender {

    /** As many as the peers have threads: each waits for Kafka with one event at a time. */
    private static final int WORKERS = 16;

    private final OutboxTable table;
    private final Place place;
    private final ThreadLocalTxContext context = new ThreadLocalTxContext();
    private final JdbcTransactionManager transactions;
    private @Nullable Outbox outbox;
    private @Nullable Destination kafka;

    CatboxDispatcher(OutboxTable table, Place place) {
        this.table = table;
        this.place = place;
        this.transactions = new JdbcTransactionManager(new DataSourceConnectionProvider(table.dataSource()), context);
    }

    @Override
    public String settings() {
        return "this checkout; dispatcher in the publisher's process with its defaults but " + WORKERS
                + " workers, no order";
    }

    @Override
    public void clear() throws SQLException {
        table.clear();
    }

    @Override
    public void append(EventPlan plan) throws SQLException {
        table.append(plan);
    }

    @Override
    public void start(Progress progress) {
        String topic = place.topic().name();
        kafka = DestinationFactory.create(
                "kafka", topic, Map.of("bootstrap-servers", place.topic().bootstrapServers()));
        outbox = JdbcOutbox.builder(table.dataSource(), context)
                .config(new OutboxConfig().setDispatcherWorkers(WORKERS))
                .build();
        outbox.listeners().registerDestination(kafka, topic);
        progress.began();
    }

    @Override
    public void stop() throws Exception {
        Objects.requireNonNull(outbox, "not started").close();
        Objects.requireNonNull(kafka).close();
        outbox = null;
    }

    @Override
    public void business(long number) throws SQLException {
        transactions.run(conn -> Business.insertOrder(conn, number));
    }

    @Override
    public void publish(Event event) throws SQLException {
        Outbox open = Objects.requireNonNull(outbox, "not started");
        transactions.run(conn -> {
            Business.insertOrder(conn, event.number());
            open.client().publish(CatboxRelay.envelope(table.topic(), event));
        });
    }

    @Override
    public void close() {
        table.close();
    }
}
