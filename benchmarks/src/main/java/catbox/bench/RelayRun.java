package catbox.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcStores;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.relay.ClusterConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.observe.RelayEvent;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.relay.RelayStores;

/** A relay that is observed until it has settled a number of events. */
final class RelayRun implements AutoCloseable {

    private static final Outcome DELIVERED = new Outcome.Delivered();

    private final long events;
    private final AtomicLong began = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong settled = new AtomicLong();
    private final CountDownLatch all = new CountDownLatch(1);
    private final Relay relay;

    RelayRun(Bench bench, long events, SettleConfig settle, Destination destination) {
        this(bench, events, config("bench", settle), destination);
    }

    RelayRun(Bench bench, long events, RelayConfig config, Destination destination) {
        this(stores(bench), events, config, destination);
    }

    RelayRun(RelayStores stores, long events, RelayConfig config, Destination destination) {
        this.events = events;
        this.relay = Relay.on(stores, config)
                .destination("bench", destination)
                .listener(this::on)
                .build()
                .start();
    }

    static RelayStores stores(Bench bench) {
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(bench.dataSource);
        return new JdbcStores(connections).relay();
    }

    static RelayConfig config(String node, SettleConfig settle) {
        return RelayConfig.of(node)
                .withCluster(ClusterConfig.of(node).withHeartbeat(Duration.ofMillis(100), Duration.ofSeconds(10)))
                .withSettle(settle);
    }

    private void on(RelayEvent event) {
        if (event instanceof RelayEvent.Claimed) {
            began.compareAndSet(0, System.nanoTime());
        } else if (event instanceof RelayEvent.Settled batch && settled.addAndGet(batch.done()) >= events) {
            ended.compareAndSet(0, System.nanoTime());
            all.countDown();
        }
    }

    /** Waits until all events are settled, and returns the nanoseconds since the first claim. */
    long nanos() throws InterruptedException {
        if (!all.await(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException("only " + settled + " of " + events + " events were settled");
        }
        return ended.get() - began.get();
    }

    @Override
    public void close() {
        relay.close();
    }

    /** Acknowledges everything immediately. */
    static Destination noop() {
        return new Destination() {
            @Override
            public DestinationTraits traits() {
                return DestinationTraits.streaming();
            }

            @Override
            public void deliver(List<Delivery> deliveries, Receipt receipt) {
                for (int i = 0; i < deliveries.size(); i++) {
                    receipt.report(i, DELIVERED);
                }
            }

            @Override
            public void close() {}
        };
    }

    static SettleConfig settling(DoneRows doneRows) {
        return SettleConfig.defaults().withDoneRows(doneRows);
    }
}
