package catbox.bench.contender;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Measures what an event adds to a business transaction, alternating between both every quarter of a second. */
record PublishCost(Contender contender, int threads, int rounds) {

    private static final long TURN_NANOS = 250_000_000;
    private static final int ROUNDS_TO_WARM_UP = 4;
    private static final AtomicLong NUMBER = new AtomicLong();

    private interface Transaction {
        void run(long number) throws Exception;
    }

    static PublishCost of(Contender contender, Map<String, String> words) {
        return new PublishCost(
                contender,
                Integer.parseInt(words.getOrDefault("threads", "1")),
                Integer.parseInt(words.getOrDefault("rounds", "20")));
    }

    Map<String, Object> measure() throws Exception {
        EventPlan plan = new EventPlan(0, 0, 1_000, 0, 500);
        List<Double> business = new ArrayList<>();
        List<Double> publish = new ArrayList<>();
        List<Double> ratio = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int round = -ROUNDS_TO_WARM_UP; round < rounds; round++) {
                double alone = micros(pool, contender::business);
                double with = micros(pool, number -> contender.publish(plan.at(number)));
                if (round >= 0) {
                    business.add(alone);
                    publish.add(with);
                    ratio.add(with / alone);
                }
            }
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("line", "cost");
        line.put("businessMicros", Statistics.median(business));
        line.put("publishMicros", Statistics.median(publish));
        line.put("ratio", Statistics.median(ratio));
        return line;
    }

    /** Returns the microseconds of one transaction, as a thread measures them. */
    private double micros(ExecutorService pool, Transaction transaction) throws Exception {
        AtomicLong count = new AtomicLong();
        long begun = System.nanoTime();
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            all.add(pool.submit(() -> {
                while (System.nanoTime() - begun < TURN_NANOS) {
                    transaction.run(NUMBER.incrementAndGet());
                    count.incrementAndGet();
                }
                return null;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        return (System.nanoTime() - begun) / 1e3 * threads / count.get();
    }
}
