package catbox.bench;

import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import java.io.PrintStream;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import outbox.model.Delivery;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.DestinationTraits;
import outbox.spi.SettleRequest.DoneRows;

/** Measures delivery from PostgreSQL to Kafka: the relay compared with hand-written code, alternating. */
final class KafkaBenchmark {

    private static final String TOPIC = "OrderPlaced"; // The type of the backlog's events.
    private static final int PARTITIONS = 6;
    private static final int EVENTS_TO_WARM_UP = 200_000;
    private static final int WARM_UPS_MAX = 12;
    /** The share of elapsed time below which the JIT compiler counts as idle. */
    private static final double COMPILING_MAX = 0.05;

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private final Bench bench;
    private final int rounds;
    private final PrintStream out = System.out;

    /** Drains a backlog. */
    private interface Drainer {
        long nanos(Backlog backlog) throws SQLException, InterruptedException;
    }

    KafkaBenchmark(Bench bench, int rounds) {
        this.bench = bench;
        this.rounds = rounds;
    }

    void run() throws SQLException, InterruptedException, ExecutionException {
        try (KafkaBroker broker = KafkaServer.start()) {
            Map<String, Object> admin = new LinkedHashMap<>(broker.clientProperties());
            try (Admin topics = Admin.create(admin)) {
                topics.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                        .all()
                        .get();
            }
            String servers = broker.bootstrapServers();
            try (HandWrittenKafkaLoop loop = new HandWrittenKafkaLoop(bench, servers, TOPIC, false, true);
                    HandWrittenKafkaLoop bare = new HandWrittenKafkaLoop(bench, servers, TOPIC, false, false);
                    Destination kafka = kafka(servers, false)) {
                for (DoneRows doneRows : DoneRows.values()) {
                    Map<String, Drainer> variants = new LinkedHashMap<>();
                    variants.put("overlapping loop by hand", backlog -> loop.drain(doneRows));
                    variants.put("the same without headers", backlog -> bare.drain(doneRows));
                    variants.put("relay", backlog -> relay(backlog, doneRows, kafka));
                    compare("into Kafka, done rows " + doneRows, Backlog.USUAL, variants);
                }
            }
            try (HandWrittenKafkaLoop loop = new HandWrittenKafkaLoop(bench, servers, TOPIC, true, true);
                    Destination kafka = kafka(servers, true)) {
                Map<String, Drainer> variants = new LinkedHashMap<>();
                variants.put("transactional loop by hand", backlog -> loop.drain(DoneRows.KEEP));
                variants.put("relay", backlog -> relay(backlog, DoneRows.KEEP, kafka));
                compare("into Kafka by transactions, done rows KEEP", Backlog.USUAL, variants);
                compare(
                        "into Kafka by transactions, one key, done rows KEEP",
                        new Backlog(Backlog.USUAL.events(), 1, Backlog.USUAL.payloadBytes()),
                        variants);
            }
        }
    }

    private static Destination kafka(String servers, boolean transactional) {
        return DestinationFactory.create(
                "kafka",
                "bench",
                Map.of("bootstrap-servers", servers, "transactional", Boolean.toString(transactional)));
    }

    private long relay(Backlog backlog, DoneRows doneRows, Destination kafka) throws InterruptedException {
        try (RelayRun run = new RelayRun(bench, backlog.events(), RelayRun.settling(doneRows), new KeptOpen(kafka))) {
            return run.nanos();
        }
    }

    private void compare(String what, Backlog backlog, Map<String, Drainer> variants)
            throws SQLException, InterruptedException {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        Map<String, CpuTimes> times = new LinkedHashMap<>();
        for (Map.Entry<String, Drainer> variant : variants.entrySet()) {
            warmUp(variant.getKey(), variant.getValue(), backlog.of(EVENTS_TO_WARM_UP));
        }
        for (int round = 0; round < rounds; round++) {
            StringBuilder line = new StringBuilder(what + ", round " + round);
            for (Map.Entry<String, Drainer> variant : variants.entrySet()) {
                backlog.write(bench);
                CpuTimes before = CpuTimes.now();
                double rate = DrainBenchmark.perSecond(
                        backlog.events(), variant.getValue().nanos(backlog));
                times.merge(variant.getKey(), CpuTimes.now().since(before), CpuTimes::plus);
                rates.computeIfAbsent(variant.getKey(), name -> new ArrayList<>())
                        .add(rate);
                line.append(String.format(Locale.ROOT, ", %s %,.0f/s", variant.getKey(), rate));
            }
            System.err.println("  " + line);
        }
        report(what, backlog, rates, times);
    }

    // Until the compiler is idle: a relay has more code than a loop, and takes longer.
    private void warmUp(String name, Drainer variant, Backlog large) throws SQLException, InterruptedException {
        double share = 1;
        for (int run = 0; run < WARM_UPS_MAX && share > COMPILING_MAX; run++) {
            large.write(bench);
            long before = COMPILER.getTotalCompilationTime();
            long nanos = variant.nanos(large);
            share = (COMPILER.getTotalCompilationTime() - before) * 1e6 / nanos;
            System.err.printf(Locale.ROOT, "  %s warms up, %.0f %% of the time compiling%n", name, share * 100);
        }
    }

    private void report(String what, Backlog backlog, Map<String, List<Double>> rates, Map<String, CpuTimes> times) {
        out.printf(
                Locale.ROOT,
                "%,d events of %d bytes, keys %,d, %s:%n",
                backlog.events(),
                backlog.payloadBytes(),
                backlog.keys(),
                what);
        double first = 0;
        for (Map.Entry<String, List<Double>> variant : rates.entrySet()) {
            double rate = DrainBenchmark.median(variant.getValue());
            first = first == 0 ? rate : first;
            long events = (long) backlog.events() * rounds;
            CpuTimes time = times.getOrDefault(variant.getKey(), new CpuTimes(0, 0, 0));
            out.printf(
                    Locale.ROOT,
                    "  %s %,.0f/s, ratio %.2f; processor time per event %s%n",
                    variant.getKey(),
                    rate,
                    rate / first,
                    time.perEvent(events));
        }
    }

    /** A destination that outlives its relay, so that no round includes connecting. */
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
