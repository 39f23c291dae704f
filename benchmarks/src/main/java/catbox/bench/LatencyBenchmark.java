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
 * How long after its commit an event is with a consumer of Kafka, at a steady rate: through the server in a process of
 * its own, through the dispatcher in this one, and by a direct send that nothing protects.
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
            try (Consumed consumed = new Consumed(broker.clientProperties(), LatencyWay.topics());
                    LatencyWay direct = LatencyWay.direct(broker);
                    LatencyWay dispatcher = LatencyWay.dispatcher(broker, false);
                    LatencyWay ordered = LatencyWay.dispatcher(broker, true);
                    LatencyWay server = LatencyWay.server(broker)) {
                compare(consumed, List.of(direct, dispatcher, ordered, server));
            }
        }
    }

    private static void createTopics(KafkaBroker broker) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(new LinkedHashMap<>(broker.clientProperties()))) {
            admin.createTopics(LatencyWay.topics().stream()
                            .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
    }

    private void compare(Consumed consumed, List<LatencyWay> ways) throws SQLException, InterruptedException {
        for (LatencyWay way : ways) {
            measure(way, consumed, SECONDS_TO_WARM_UP);
        }
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (LatencyWay way : ways) {
                List<Double> some = measure(way, consumed, SECONDS);
                System.err.printf(Locale.ROOT, "  round %d, %s%n", round, new Milliseconds(some).summary(way.name()));
                millis.computeIfAbsent(way.name(), name -> new ArrayList<>()).addAll(some);
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

    /** One event every so often, and for each how long it took; fails if one does not come. */
    private static List<Double> measure(LatencyWay way, Consumed consumed, int seconds)
            throws SQLException, InterruptedException {
        int events = seconds * PER_SECOND;
        Map<String, Long> committed = new LinkedHashMap<>();
        long begun = System.nanoTime();
        for (int n = 0; n < events; n++) {
            long due = begun + n * (1_000_000_000L / PER_SECOND);
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            String id = way.publish(n);
            committed.put(id, way.committedNanos());
        }
        List<Double> millis = new ArrayList<>(events);
        for (Map.Entry<String, Long> each : committed.entrySet()) {
            millis.add((consumed.await(each.getKey()) - each.getValue()) / 1e6);
        }
        return millis;
    }
}
