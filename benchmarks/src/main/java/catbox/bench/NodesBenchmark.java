package catbox.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.relay.Relay;
import outbox.relay.WakeUpSender;
import outbox.relay.observe.RelayEvent;
import outbox.spi.DestinationTraits;
import outbox.spi.SettleRequest.DoneRows;

/** Compares one node with three, each with the same fixed concurrency, at a destination that takes 5 ms per call. */
final class NodesBenchmark {

    private static final int EVENTS = 30_000;
    private static final int PARTITIONS = 6;
    private static final Duration LATENCY = Duration.ofMillis(5);
    private static final DestinationTraits TRAITS =
            DestinationTraits.requestResponse().withKeysInFlightMax(4).withEventsPerKeyMax(4);
    private static final int PACED_EVENTS = 3_000;
    private static final int PACED_PER_SECOND = 300;

    private final Bench bench;
    private final int rounds;

    NodesBenchmark(Bench bench, int rounds) {
        this.bench = bench;
        this.rounds = rounds;
    }

    void run() throws SQLException, InterruptedException {
        List<Double> one = new ArrayList<>();
        List<Double> three = new ArrayList<>();
        List<Double> p95OfOne = new ArrayList<>();
        List<Double> p95OfThree = new ArrayList<>();
        for (int round = -1; round < rounds; round++) {
            double rateOfOne = drain(1);
            double rateOfThree = drain(3);
            double latencyOfOne = paced(1);
            double latencyOfThree = paced(3);
            System.err.printf(
                    Locale.ROOT,
                    "  round %d: 1 node %,.0f/s, 3 nodes %,.0f/s; p95 %.1f ms and %.1f ms%n",
                    round,
                    rateOfOne,
                    rateOfThree,
                    latencyOfOne,
                    latencyOfThree);
            if (round >= 0) {
                one.add(rateOfOne);
                three.add(rateOfThree);
                p95OfOne.add(latencyOfOne);
                p95OfThree.add(latencyOfThree);
            }
        }
        double rateOfOne = DrainBenchmark.median(one);
        double rateOfThree = DrainBenchmark.median(three);
        System.out.printf(
                Locale.ROOT,
                "nodes, 5 ms per call: one %,.0f/s, three %,.0f/s, ratio %.2f%n",
                rateOfOne,
                rateOfThree,
                rateOfThree / rateOfOne);
        double latencyOfOne = DrainBenchmark.median(p95OfOne);
        double latencyOfThree = DrainBenchmark.median(p95OfThree);
        System.out.printf(
                Locale.ROOT,
                "nodes, %d events/s, from publish to acknowledgement: p95 of one %.1f ms, of three %.1f ms, ratio %.2f%n",
                PACED_PER_SECOND,
                latencyOfOne,
                latencyOfThree,
                latencyOfThree / latencyOfOne);
    }

    /** Returns events per second, measured after all partitions are owned. The backlog is written only then. */
    private double drain(int nodes) throws SQLException, InterruptedException {
        bench.execute("TRUNCATE outbox_event, outbox_attempt");
        try (Cluster cluster = new Cluster(nodes, EVENTS)) {
            cluster.awaitPartitions();
            new Backlog(EVENTS, 1_000, 500).append(bench, "key-", 0);
            return DrainBenchmark.perSecond(EVENTS, cluster.nanos());
        }
    }

    /** Returns the 95th percentile of the age at acknowledgement, in milliseconds, at a rate without congestion. */
    private double paced(int nodes) throws SQLException, InterruptedException {
        bench.execute("TRUNCATE outbox_event, outbox_attempt, orders");
        try (Cluster cluster = new Cluster(nodes, PACED_EVENTS);
                PostgresWakeUpChannel channel = new PostgresWakeUpChannel(connections());
                WakeUpSender sender = new WakeUpSender(channel).start()) {
            cluster.awaitPartitions();
            BusinessTransaction publish = BusinessTransaction.publish(bench.transactions, bench.publishing(sender));
            long began = System.nanoTime();
            for (int i = 0; i < PACED_EVENTS; i++) {
                publish.run(i);
                LockSupport.parkNanos(began + (i + 1) * 1_000_000_000L / PACED_PER_SECOND - System.nanoTime());
            }
            cluster.nanos();
            return cluster.p95();
        }
    }

    private DataSourceConnectionProvider connections() {
        return new DataSourceConnectionProvider(bench.dataSource);
    }

    /** Nodes in this process, each with a separate destination. */
    private final class Cluster implements AutoCloseable {
        private final List<Relay> relays = new ArrayList<>();
        private final List<SlowDestination> destinations = new ArrayList<>();
        private final AtomicInteger owned = new AtomicInteger();
        private final CountDownLatch all = new CountDownLatch(1);
        private final AtomicLong settled = new AtomicLong();
        private final AtomicLong began = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final int events;

        Cluster(int nodes, int events) {
            this.events = events;
            for (int i = 0; i < nodes; i++) {
                SlowDestination destination = new SlowDestination(TRAITS, LATENCY);
                destinations.add(destination);
                relays.add(
                        Relay.on(RelayRun.stores(bench), RelayRun.config("node-" + i, RelayRun.settling(DoneRows.KEEP)))
                                .destination("slow", destination)
                                .channel(new PostgresWakeUpChannel(connections()))
                                .workers(2)
                                .listener(this::on)
                                .build());
            }
            relays.forEach(Relay::start);
        }

        private void on(RelayEvent event) {
            switch (event) {
                case RelayEvent.PartitionAcquired acquired -> owned.incrementAndGet();
                case RelayEvent.PartitionReleased released -> owned.decrementAndGet();
                case RelayEvent.Claimed claimed -> began.compareAndSet(0, System.nanoTime());
                case RelayEvent.Settled batch -> {
                    if (settled.addAndGet(batch.done()) >= events) {
                        ended.compareAndSet(0, System.nanoTime());
                        all.countDown();
                    }
                }
                default -> {}
            }
        }

        // Evenly, and for long enough that no partition is about to move.
        void awaitPartitions() throws InterruptedException {
            int share = PARTITIONS / relays.size();
            int stable = 0;
            for (int i = 0; i < 600 && stable < 5; i++) {
                TimeUnit.MILLISECONDS.sleep(100);
                stable = relays.stream()
                                .allMatch(relay -> relay.status().partitions().size() == share)
                        ? stable + 1
                        : 0;
            }
            if (stable < 5) {
                throw new IllegalStateException("the partitions were not spread evenly within a minute");
            }
        }

        long nanos() throws InterruptedException {
            if (!all.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException("only " + settled + " of " + events + " events were settled");
            }
            return ended.get() - began.get();
        }

        double p95() {
            double[] ages = destinations.stream()
                    .flatMap(each -> each.agesMillis().stream())
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            Arrays.sort(ages);
            return ages[(int) (ages.length * 0.95)];
        }

        @Override
        public void close() {
            relays.forEach(Relay::close);
        }
    }
}
