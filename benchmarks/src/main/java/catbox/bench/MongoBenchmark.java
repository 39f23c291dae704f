package catbox.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.relay.RelayStores;

/**
 * Compares the same relay on MongoDB and on PostgreSQL, alternating: how fast it drains a backlog, and how soon it
 * delivers.
 */
final class MongoBenchmark {

    private static final String POSTGRES = "PostgreSQL";
    private static final String MONGO = "MongoDB";

    /** The number of events of a drain; small numbers only check that it runs. */
    private static final Backlog BACKLOG = Backlog.USUAL.of(Integer.getInteger("bench.events", Backlog.USUAL.events()));

    private static final Backlog TO_WARM_UP = BACKLOG.of(4 * BACKLOG.events());
    private static final int WARM_UPS_MAX = 8;
    /** The share of elapsed time below which the JIT compiler counts as idle. */
    private static final double COMPILING_MAX = 0.05;

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private final Bench postgres;
    private final MongoBench mongo;
    private final int rounds;

    /** Writes a backlog and drains it; returns the time of the drain. */
    private interface Drainer {
        long nanos(Backlog backlog) throws Exception;
    }

    MongoBenchmark(Bench postgres, MongoBench mongo, int rounds) {
        this.postgres = postgres;
        this.mongo = mongo;
        this.rounds = rounds;
    }

    void run() throws Exception {
        for (DoneRows doneRows : DoneRows.values()) {
            drain(doneRows);
        }
        new MongoLatency(postgres, mongo, rounds).run();
    }

    private void drain(DoneRows doneRows) throws Exception {
        Map<String, Drainer> variants = new LinkedHashMap<>();
        variants.put(POSTGRES, backlog -> {
            backlog.write(postgres);
            return drain(RelayRun.stores(postgres), backlog, doneRows);
        });
        variants.put(MONGO, backlog -> {
            mongo.write(backlog);
            return drain(mongo.stores(), backlog, doneRows);
        });
        for (Map.Entry<String, Drainer> variant : variants.entrySet()) {
            warmUp(variant.getKey(), variant.getValue());
        }
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            StringBuilder line = new StringBuilder("done rows " + doneRows + ", round " + round);
            for (Map.Entry<String, Drainer> variant : variants.entrySet()) {
                double rate = DrainBenchmark.perSecond(
                        BACKLOG.events(), variant.getValue().nanos(BACKLOG));
                rates.computeIfAbsent(variant.getKey(), name -> new ArrayList<>())
                        .add(rate);
                line.append(String.format(Locale.ROOT, ", %s %,.0f/s", variant.getKey(), rate));
            }
            System.err.println("  " + line);
        }
        double byPostgres = DrainBenchmark.median(rates.getOrDefault(POSTGRES, List.of()));
        double byMongo = DrainBenchmark.median(rates.getOrDefault(MONGO, List.of()));
        System.out.printf(
                Locale.ROOT,
                "drain %,d events of %d bytes, keys %,d, done rows %s: %s %,.0f/s, %s %,.0f/s, ratio %.2f%n",
                BACKLOG.events(),
                BACKLOG.payloadBytes(),
                BACKLOG.keys(),
                doneRows,
                POSTGRES,
                byPostgres,
                MONGO,
                byMongo,
                byMongo / byPostgres);
    }

    private static long drain(RelayStores stores, Backlog backlog, DoneRows doneRows) throws InterruptedException {
        try (RelayRun run = new RelayRun(
                stores, backlog.events(), RelayRun.config("bench", RelayRun.settling(doneRows)), RelayRun.noop())) {
            return run.nanos();
        }
    }

    // Until the compiler is idle: apart from the engine the two have little code in common.
    private static void warmUp(String name, Drainer variant) throws Exception {
        double share = 1;
        for (int run = 0; run < WARM_UPS_MAX && share > COMPILING_MAX; run++) {
            long before = COMPILER.getTotalCompilationTime();
            long nanos = variant.nanos(TO_WARM_UP);
            share = (COMPILER.getTotalCompilationTime() - before) * 1e6 / nanos;
            System.err.printf(
                    Locale.ROOT,
                    "  %s warms up at %,.0f/s, %.0f %% of the time compiling%n",
                    name,
                    DrainBenchmark.perSecond(TO_WARM_UP.events(), nanos),
                    share * 100);
        }
    }
}
