package catbox.bench;

import com.sun.management.ThreadMXBean;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutbox;

/**
 * Measures what publishing costs the business transaction, how soon the listener receives the event, what a batch
 * saves, and how much is allocated. Variants alternate within each round, so that a slow phase of the machine affects
 * all of them.
 */
public final class PublishBenchmark {

    private static final int ROUNDS = 30;
    private static final int ROUNDS_TO_WARM_UP = 8;
    /** Short, because the speed of a disk changes from second to second, and adjacent measurements are compared. */
    private static final Duration ROUND_LENGTH = Duration.ofMillis(250);

    private static final int BATCH_ROUNDS = 15;
    private static final int TRANSACTIONS = 8_000;
    private static final int LATENCIES = 4_000;
    // Referenced here, because the logging framework forgets the level of an unreferenced logger.
    private static final Logger OUTBOX_LOG = Logger.getLogger("outbox");
    private static final int BATCH = 1_000;

    private final Bench bench;
    private final PrintStream out = System.out;

    private PublishBenchmark(Bench bench) {
        this.bench = bench;
    }

    public static void main(String[] args) throws Exception {
        OUTBOX_LOG.setLevel(Level.OFF); // Tables are emptied while the dispatcher runs, which it would log.
        try (Bench bench = new Bench()) {
            PublishBenchmark benchmark = new PublishBenchmark(bench);
            benchmark.oneByOne();
            benchmark.transactions(1);
            benchmark.transactions(8);
            benchmark.hotPath();
            benchmark.batch();
            benchmark.allocation();
        }
    }

    /** The most precise comparison: the variants alternate transaction by transaction, on one thread. */
    private void oneByOne() throws SQLException {
        Variant alone = new Variant("business alone", BusinessTransaction.plain(bench.transactions));
        Variant raw = new Variant("+ raw INSERT by hand", BusinessTransaction.rawInsert(bench.transactions));
        Variant publish = new Variant(
                "+ publish (stored only)", BusinessTransaction.publish(bench.transactions, bench.storeOnly()));
        List<Variant> variants = List.of(alone, raw, publish);
        List<Variant> order = new ArrayList<>(variants);
        Random shuffle = new Random(42);
        bench.empty();
        for (int i = -TRANSACTIONS / 4; i < TRANSACTIONS; i++) {
            Collections.shuffle(order, shuffle); // So that none benefits from the effects of the previous one.
            for (Variant variant : order) {
                long began = System.nanoTime();
                variant.transaction.run(i);
                double micros = (System.nanoTime() - began) / 1_000.0;
                if (i >= 0) {
                    variant.micros.add(micros);
                }
            }
        }
        out.printf("%nBusiness transaction, 1 thread, alternating, median of %d each%n", TRANSACTIONS);
        variants.forEach(variant -> out.printf(
                "  %-34s %8.0f µs   %.2f × alone   %.2f × raw INSERT%n",
                variant.name,
                median(variant.micros),
                median(variant.micros) / median(alone.micros),
                median(variant.micros) / median(raw.micros)));
    }

    private void transactions(int threads) throws Exception {
        try (Outbox outbox = JdbcOutbox.builder(bench.dataSource, bench.context)
                .onAll(event -> {})
                .build()) {
            Variant alone = new Variant("business alone", BusinessTransaction.plain(bench.transactions));
            Variant raw = new Variant("+ raw INSERT by hand", BusinessTransaction.rawInsert(bench.transactions));
            Variant publish = new Variant(
                    "+ publish (stored only)", BusinessTransaction.publish(bench.transactions, bench.storeOnly()));
            Variant delivered = new Variant(
                    "+ publish, delivered in process",
                    BusinessTransaction.publish(bench.transactions, outbox.client()));
            List<Variant> variants = List.of(alone, raw, publish, delivered);
            measure(variants, new Load(threads, ROUND_LENGTH));

            out.printf("%nBusiness transaction, %d thread(s), median of %d rounds of 250 ms%n", threads, ROUNDS);
            variants.forEach(variant -> out.printf(
                    "  %-34s %8.0f µs   %.2f × alone   %.2f × raw INSERT%n",
                    variant.name, median(variant.micros), variant.ratioTo(alone), variant.ratioTo(raw)));
        }
    }

    /** One kind of transaction, with the measurements of each round. */
    private static final class Variant {
        final String name;
        final BusinessTransaction transaction;
        final List<Double> micros = new ArrayList<>();

        Variant(String name, BusinessTransaction transaction) {
            this.name = name;
            this.transaction = transaction;
        }

        /**
         * Returns the median of the ratios within each round, because both sides of a round had the same conditions.
         */
        double ratioTo(Variant other) {
            return median(IntStream.range(0, ROUNDS)
                    .mapToObj(i -> micros.get(i) / other.micros.get(i))
                    .toList());
        }
    }

    private void measure(List<Variant> variants, Load load) throws Exception {
        for (int round = -ROUNDS_TO_WARM_UP; round < ROUNDS; round++) {
            if (round % 10 == 0) {
                bench.empty();
            }
            for (int trial = 0; trial < variants.size(); trial++) {
                // Each round begins with another one, so that none always follows the same one.
                Variant variant = variants.get(Math.floorMod(round + trial, variants.size()));
                double micros = load.microsPerTransaction(variant.transaction);
                if (round >= 0) {
                    variant.micros.add(micros);
                }
            }
        }
    }

    private void hotPath() throws Exception {
        bench.empty();
        AtomicLongArray arrived = new AtomicLongArray(LATENCIES + 1);
        long[] committed = new long[LATENCIES + 1];
        try (Outbox outbox = JdbcOutbox.builder(bench.dataSource, bench.context)
                .onAll(event -> arrived.set(
                        Integer.parseInt(Objects.requireNonNull(event.headers().get("no"))), System.nanoTime()))
                .build()) {
            BusinessTransaction transaction = BusinessTransaction.publish(bench.transactions, outbox.client());
            for (int number = 1; number <= LATENCIES; number++) {
                // The commit itself wakes the listener and returns a little later, so the difference can be negative.
                transaction.run(number);
                committed[number] = System.nanoTime();
                while (arrived.get(number) == 0) {
                    Thread.onSpinWait();
                }
            }
        }
        long[] nanos = LongStream.rangeClosed(LATENCIES / 2, LATENCIES)
                .map(number -> Math.max(0, arrived.get((int) number) - committed[(int) number]))
                .sorted()
                .toArray();
        out.printf(
                "%nFrom commit returned to listener called, hot path, one event at a time, %d events%n", nanos.length);
        out.printf("  p50 %.3f ms   p99 %.3f ms%n", percentile(nanos, 50), percentile(nanos, 99));
    }

    private void batch() throws SQLException {
        OutboxClient client = bench.storeOnly();
        List<Double> single = new ArrayList<>();
        List<Double> batched = new ArrayList<>();
        for (int round = -2; round < BATCH_ROUNDS; round++) {
            bench.empty();
            double one = millis(() -> bench.transactions.run(conn -> events().forEach(client::publish)));
            bench.empty();
            double all = millis(() -> bench.transactions.run(conn -> client.publishAll(events())));
            if (round >= 0) {
                single.add(one);
                batched.add(all);
            }
        }
        out.printf("%n%d events in one transaction, median of %d rounds%n", BATCH, BATCH_ROUNDS);
        out.printf("  %d × publish  %8.1f ms%n", BATCH, median(single));
        out.printf(
                "  publishAll      %8.1f ms   %.1f times as fast%n", median(batched), median(single) / median(batched));
    }

    private static List<EventEnvelope> events() {
        return LongStream.range(0, BATCH).mapToObj(BusinessTransaction::event).toList();
    }

    private void allocation() throws SQLException {
        ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        BusinessTransaction plain = BusinessTransaction.plain(bench.transactions);
        BusinessTransaction raw = BusinessTransaction.rawInsert(bench.transactions);
        BusinessTransaction publish = BusinessTransaction.publish(bench.transactions, bench.storeOnly());
        long alone = bytesEach(threads, plain);
        out.printf("%nAllocated by the publishing thread, per event, driver included%n");
        out.printf("  raw INSERT by hand  %6d bytes%n", bytesEach(threads, raw) - alone);
        out.printf("  publish             %6d bytes%n", bytesEach(threads, publish) - alone);
    }

    private static long bytesEach(ThreadMXBean threads, BusinessTransaction transaction) throws SQLException {
        int times = 2_000;
        for (int i = 0; i < times; i++) {
            transaction.run(i);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            transaction.run(i);
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / times;
    }

    /** A measured action. */
    private interface Timed {
        void run() throws SQLException;
    }

    private static double millis(Timed work) throws SQLException {
        long began = System.nanoTime();
        work.run();
        return (System.nanoTime() - began) / 1e6;
    }

    private static double percentile(long[] sortedNanos, int percent) {
        return sortedNanos[(int) Math.ceil(sortedNanos.length * percent / 100.0) - 1] / 1e6;
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length % 2 == 1
                ? sorted[sorted.length / 2]
                : Arrays.stream(sorted, sorted.length / 2 - 1, sorted.length / 2 + 1)
                        .average()
                        .orElseThrow();
    }
}
