package catbox.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.mongodb.MongoWakeUpChannel;
import outbox.relay.Relay;
import outbox.relay.WakeUpSender;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/**
 * Measures the time from an event's commit to its delivery, at a steady rate. The relay learns of commits as from
 * another process: by NOTIFY on PostgreSQL, by the change stream on MongoDB.
 */
final class MongoLatency {

    private static final int PER_SECOND = 200;
    private static final int SECONDS = Integer.getInteger("bench.seconds", 10);

    private final Bench postgres;
    private final MongoBench mongo;
    private final int rounds;

    MongoLatency(Bench postgres, MongoBench mongo, int rounds) {
        this.postgres = postgres;
        this.mongo = mongo;
        this.rounds = rounds;
    }

    /** Commits a business transaction with this event. */
    private interface Publish {
        void commit(EventEnvelope event, int number) throws Exception;
    }

    @SuppressWarnings("try") // The relays only need to exist.
    void run() throws Exception {
        postgres.empty();
        mongo.write(Backlog.USUAL.of(0));
        Arrivals arrivals = new Arrivals();
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(postgres.dataSource);
        WakeUpSender sender = new WakeUpSender(new PostgresWakeUpChannel(connections)).start();
        try (sender;
                Relay onPostgres = relay(RelayRun.stores(postgres), new PostgresWakeUpChannel(connections), arrivals);
                Relay onMongo = relay(mongo.stores(), new MongoWakeUpChannel(mongo.source), arrivals)) {
            OutboxClient toPostgres = postgres.publishing(sender);
            OutboxClient toMongo = mongo.storeOnly();
            Map<String, Publish> variants = new LinkedHashMap<>();
            variants.put(
                    "PostgreSQL",
                    (event, number) -> postgres.transactions.run(connection -> {
                        BusinessTransaction.insertOrder(connection, number);
                        toPostgres.publish(event);
                    }));
            variants.put(
                    "MongoDB",
                    (event, number) -> mongo.transactions.run(session -> {
                        mongo.database().getCollection("orders").insertOne(session, new Document("no", number));
                        toMongo.publish(event);
                    }));
            compare(variants, arrivals);
        }
    }

    private static Relay relay(RelayStores stores, WakeUpChannel channel, Arrivals arrivals) {
        return Relay.on(stores, RelayRun.config("latency", RelayRun.settling(DoneRows.KEEP)))
                .destination("bench", arrivals)
                .channel(channel)
                .build()
                .start();
    }

    private void compare(Map<String, Publish> variants, Arrivals arrivals) throws Exception {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int round = -2; round < rounds; round++) {
            for (Map.Entry<String, Publish> variant : variants.entrySet()) {
                List<Double> some = measure(variant.getValue(), arrivals);
                System.err.printf(
                        Locale.ROOT, "  round %d, %s%n", round, new Milliseconds(some).summary(variant.getKey()));
                if (round >= 0) {
                    millis.computeIfAbsent(variant.getKey(), name -> new ArrayList<>())
                            .addAll(some);
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "from commit to delivery, %d events of 500 bytes per second, %d rounds of %d s, in ms:%n",
                PER_SECOND,
                rounds,
                SECONDS);
        millis.forEach((name, all) -> System.out.println("  " + new Milliseconds(all).summary(name)));
    }

    private static List<Double> measure(Publish variant, Arrivals arrivals) throws Exception {
        int events = SECONDS * PER_SECOND;
        Map<String, Long> committed = new LinkedHashMap<>();
        long begun = System.nanoTime();
        for (int n = 0; n < events; n++) {
            long due = begun + n * (1_000_000_000L / PER_SECOND);
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            EventEnvelope event = BusinessTransaction.event("OrderPlaced", n);
            variant.commit(event, n);
            committed.put(event.eventId(), System.nanoTime());
        }
        List<Double> millis = new ArrayList<>(events);
        for (Map.Entry<String, Long> each : committed.entrySet()) {
            millis.add((arrivals.await(each.getKey()) - each.getValue()) / 1e6);
        }
        return millis;
    }

    /** Records when each event arrived. */
    private static final class Arrivals implements Destination {

        private static final Outcome DELIVERED = new Outcome.Delivered();
        private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

        private final Map<String, Long> nanos = new ConcurrentHashMap<>();

        @Override
        public DestinationTraits traits() {
            return DestinationTraits.streaming();
        }

        @Override
        public void deliver(List<Delivery> deliveries, Receipt receipt) {
            long now = System.nanoTime();
            for (int i = 0; i < deliveries.size(); i++) {
                nanos.put(deliveries.get(i).event().eventId(), now);
                receipt.report(i, DELIVERED);
            }
        }

        long await(String eventId) {
            long begun = System.nanoTime();
            Long at = nanos.remove(eventId);
            while (at == null) {
                if (System.nanoTime() - begun > AWAIT_NANOS_MAX) {
                    throw new IllegalStateException("event " + eventId + " was never delivered");
                }
                LockSupport.parkNanos(1_000_000);
                at = nanos.remove(eventId);
            }
            return at;
        }

        @Override
        public void close() {}
    }
}
