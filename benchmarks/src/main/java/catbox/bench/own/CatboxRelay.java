package catbox.bench.own;

import catbox.bench.contender.Business;
import catbox.bench.contender.Contender;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Place;
import catbox.bench.contender.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.model.Delivery;
import outbox.relay.ClusterConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.WakeUpSender;
import outbox.relay.observe.RelayEvent;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.DestinationTraits;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.relay.RelayStores;

/**
 * Runs the relay with its defaults except for a heartbeat of 100 ms, so that a run begins soon; in order per key. The
 * publisher only stores, and notifies the relay through the database.
 */
final class CatboxRelay implements Contender {

    private final OutboxTable table;
    private final Place place;
    private final DoneRows doneRows;
    private final boolean transactional;
    private final JdbcTransactionManager transactions;
    private final OutboxClient outbox;
    private final WakeUpSender sender;
    private final Destination kafka;
    private @Nullable Relay relay;

    CatboxRelay(OutboxTable table, Place place, DoneRows doneRows, boolean transactional) {
        this.table = table;
        this.place = place;
        this.doneRows = doneRows;
        this.transactional = transactional;
        DataSourceConnectionProvider connections = connections();
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        this.transactions = new JdbcTransactionManager(connections, context);
        this.sender = new WakeUpSender(new PostgresWakeUpChannel(connections)).start();
        this.kafka = DestinationFactory.create(
                "kafka",
                "kafka",
                Map.of(
                        "bootstrap-servers",
                        place.topic().bootstrapServers(),
                        "transactional",
                        Boolean.toString(transactional)));
        this.outbox = new OutboxClient(new JdbcOutboxRepository().publisher(context), sender);
    }

    @Override
    public String settings() {
        return "this checkout; relay with its defaults but a heartbeat of 100 ms, order per key, done rows "
                + (doneRows == DoneRows.KEEP ? "kept" : "deleted")
                + (transactional ? ", one Kafka transaction per batch" : "");
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
        DataSourceConnectionProvider connections = connections();
        RelayStores stores = new JdbcStores(connections).relay();
        RelayConfig config = RelayConfig.of(place.node())
                .withCluster(
                        ClusterConfig.of(place.node()).withHeartbeat(Duration.ofMillis(100), Duration.ofSeconds(10)))
                .withSettle(SettleConfig.defaults().withDoneRows(doneRows));
        relay = Relay.on(stores, config)
                .destination("kafka", new KeptOpen(kafka))
                .channel(new PostgresWakeUpChannel(connections))
                .listener(event -> send(progress, event))
                .build()
                .start();
    }

    private static void send(Progress progress, RelayEvent event) {
        if (event instanceof RelayEvent.Claimed) {
            progress.began();
        } else if (event instanceof RelayEvent.Settled batch) {
            progress.settled(batch.done());
        }
    }

    @Override
    public void stop() {
        Objects.requireNonNull(relay, "not started").close();
        relay = null;
    }

    @Override
    public void business(long number) throws SQLException {
        transactions.run(conn -> Business.insertOrder(conn, number));
    }

    @Override
    public void publish(Event event) throws SQLException {
        transactions.run(conn -> {
            Business.insertOrder(conn, event.number());
            outbox.publish(envelope(table.topic(), event));
        });
    }

    static EventEnvelope envelope(String topic, Event event) {
        return EventEnvelope.builder(topic)
                .aggregateType("Order")
                .aggregateId(event.key())
                .payloadJson(event.payload())
                .build();
    }

    private DataSourceConnectionProvider connections() {
        return new DataSourceConnectionProvider(table.dataSource());
    }

    @Override
    public void close() {
        if (relay != null) {
            relay.close();
        }
        kafka.close();
        sender.close();
        table.close();
    }

    /** A destination that outlives its relay, so that no run includes connecting. */
    private record KeptOpen(Destination behind) implements Destination {

        @Override
        public DestinationTraits traits() {
            return behind.traits();
        }

        @Override
        public void deliver(List<Delivery> deliveries, Receipt receipt) {
            behind.deliver(deliveries, receipt);
        }

        @Override
        public void close() {}
    }
}
