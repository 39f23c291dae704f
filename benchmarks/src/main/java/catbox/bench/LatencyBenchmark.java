package catbox.bench;

import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Measures the time from an event's commit to its arrival at a Kafka consumer, at a steady rate: through the server in
 * a separate process, through the dispatcher in this one, and by a direct send without an outbox.
 */
final class LatencyBenchmark {

    private static final int PER_SECOND = 200;
    private static final int SECONDS = 10;
    private static final int SECONDS_TO_WARM_UP = 20;
    private static final int PARTITIONS = 6;

    private final int rounds;

    LatencyBenchmark(int rounds) {
        this.rounds = rounds;
    }

    void run() throws SQLException, InterruptedException, ExecutionException {
        try (KafkaBroker broker = KafkaServer.start()) {
            createTopics(broker);
            try (Consumed consumed = new Consumed(broker.clientProperties(), LatencyPath.topics());
                    LatencyPath direct = LatencyPath.direct(broker);
                    LatencyPath dispatcher = LatencyPath.dispatcher(broker);
                    LatencyPath server = LatencyPath.server(broker)) {
                compare(consumed, List.of(direct, dispatcher, server));
            }
        }
    }

    private static void createTopics(KafkaBroker broker) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(new LinkedHashMap<>(broker.clientProperties()))) {
            admin.createTopics(LatencyPath.topics().stream()
                            .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
    }

    private void compare(Consumed consumed, List<LatencyPath> variants) throws SQLException, InterruptedException {
        for (LatencyPath variant : variants) {
            measure(variant, consumed, SECONDS_TO_WARM_UP);
        }
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (LatencyPath variant : variants) {
                List<Double> some = measure(variant, consumed, SECONDS);
                System.err.printf(
                        Locale.ROOT, "  round %d, %s%n", round, new Milliseconds(some).summary(variant.name()));
                millis.computeIfAbsent(variant.name(), name -> new ArrayList<>())
                        .addAll(some);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "from commit to consumer, %d events of 500 bytes per second, %d rounds of %d s, in ms:%n",
                PER_SECOND,
                rounds,
                SECONDS);
        millis.forEach((name, all) -> System.out.println("  " + new Milliseconds(all).summary(name)));
    }

    /** Publishes events at a fixed interval, and returns the latency of each; fails if one does not arrive. */
    private static List<Double> measure(LatencyPath variant, Consumed consumed, int seconds)
            throws SQLException, InterruptedException {
        int events = seconds * PER_SECOND;
        Map<String, Long> committed = new LinkedHashMap<>();
        long begun = System.nanoTime();
        for (int n = 0; n < events; n++) {
            long due = begun + n * (1_000_000_000L / PER_SECOND);
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            String id = variant.publish(n);
            committed.put(id, variant.committedNanos());
        }
        List<Double> millis = new ArrayList<>(events);
        for (Map.Entry<String, Long> each : committed.entrySet()) {
            millis.add((consumed.await(each.getKey()) - each.getValue()) / 1e6);
        }
        return millis;
    }
}
