package catbox.bench.contest;

import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Statistics;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** W2: measures the time from an event's commit to its arrival at a consumer, at a steady rate. */
final class Latency implements Workload {

    private static final int SECONDS = 10;
    private static final int SECONDS_QUICK = 3;
    private static final int WARM_UP_SECONDS = 40;
    private static final int EVENTS_MIN = 100;
    private static final int EVENTS_MIN_QUICK = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Time in which duplicates of the last events may arrive. */
    private static final Duration LISTENING = Duration.ofMillis(500);

    @Override
    public String name() {
        return "w2";
    }

    @Override
    public List<Case> cases(boolean quick) {
        return Stream.of(10, 200, 1_000, 5_000)
                .<Case>map(rate -> rate(rate, quick))
                .toList();
    }

    static Case rate(int perSecond, boolean quick) {
        int events = perSecond * (quick ? SECONDS_QUICK : SECONDS);
        return new AtRate(
                perSecond,
                Math.max(events, quick ? EVENTS_MIN_QUICK : EVENTS_MIN),
                quick ? SECONDS_QUICK : WARM_UP_SECONDS);
    }

    private record AtRate(int perSecond, int events, int warmUpSeconds) implements Case {

        @Override
        public String name() {
            return perSecond + "/s";
        }

        // A contender that cannot keep up only measures the length of the run.
        @Override
        public boolean suits(Entrant entrant) {
            return entrant.aboutPerSecond() >= perSecond;
        }

        // Faster than the measured rate if possible, so that compilers have seen enough.
        @Override
        public void warmUp(Stage stage, Stage.Actor actor) throws Exception {
            int faster = Math.max(perSecond, Math.min(1_000, actor.entrant().aboutPerSecond() / 2));
            measure(stage, actor, Pace.of(faster), faster * warmUpSeconds);
        }

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            return measure(stage, actor, Pace.of(perSecond), events);
        }
    }

    /** A rate, and the number of publishing threads to reach it: a transaction may take milliseconds. */
    record Pace(int perSecond, int threads) {

        static Pace of(int perSecond) {
            return new Pace(perSecond, perSecond <= 200 ? 1 : perSecond <= 1_000 ? 4 : 8);
        }

        String words() {
            return " rate=" + perSecond + " threads=" + threads;
        }
    }

    private static Map<String, Object> measure(Stage stage, Stage.Actor actor, Pace pace, int events)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        ContenderProcess process = actor.process();
        process.ask("clear", "cleared", PATIENCE);
        stage.arena().settleDown(actor.place());
        process.ask("start", "started", PATIENCE);
        awaitFirst(stage, actor);
        Map<String, Object> values = publish(stage, actor, pace, events).values();
        process.ask("stop", "stopped", PATIENCE); // A failed contender is ended with everything that it has started.
        return values;
    }

    /** The measured values, and milliseconds by the event's position; -1 for an event that did not arrive. */
    record Measured(Map<String, Object> values, List<Double> millis) {}

    // A relay that has just started takes over its work part by part. The measurement begins when it has everything:
    // these are events of a hundred keys.
    static void awaitFirst(Stage stage, Stage.Actor actor)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        publish(stage, actor, new Pace(200, 1), 100);
    }

    static Measured publish(Stage stage, Stage.Actor actor, Pace pace, int events)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        EventPlan plan = stage.plan(events, 1_000, 0, 500);
        Map<String, String> client = stage.arena().kafkaClient();
        Map<TopicPartition, Long> from =
                TopicReader.ends(client, actor.place().topic().name());
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("load", Results.load());
        List<ContenderProcess> processes = List.of(actor.process());
        try (TopicReader reader = new TopicReader(client, from, plan)) {
            Meters before = stage.meters(actor, processes);
            Duration patience = PATIENCE.plusSeconds(3L * events / pace.perSecond());
            Map<String, Object> published =
                    actor.process().ask("publish " + plan.words() + pace.words(), "published", patience);
            long[] committed = (long[]) Objects.requireNonNull(published.get("micros"));
            reader.await(events, PATIENCE);
            values.put("events", events);
            values.put("allocatedBytes", Meters.per(ContenderProcess.number(published, "allocatedBytes"), events));
            values.putAll(stage.meters(actor, processes).perEvent(before, events));
            values.put("perSecond", perSecond(committed));
            List<Double> millis = millis(committed, reader.arrivedMicros());
            values.putAll(latencies(millis));
            reader.await(Integer.MAX_VALUE, LISTENING);
            values.putAll(reader.findings(events));
            return new Measured(values, millis);
        }
    }

    static double perSecond(long[] committed) {
        long first = Arrays.stream(committed).min().orElse(0);
        long last = Arrays.stream(committed).max().orElse(0);
        return last == first ? 0 : (committed.length - 1) * 1e6 / (last - first);
    }

    // An event may reach the consumer before the publisher reads the clock, which counts as zero.
    static List<Double> millis(long[] committed, long[] arrived) {
        return IntStream.range(0, committed.length)
                .mapToDouble(i -> arrived[i] == 0 ? -1 : Math.max(0, arrived[i] - committed[i]) / 1e3)
                .boxed()
                .toList();
    }

    /** Returns the latencies of the events that arrived. */
    static Map<String, Object> latencies(List<Double> millis) {
        return Statistics.latencies(millis.stream()
                .mapToDouble(Double::doubleValue)
                .filter(each -> each >= 0)
                .toArray());
    }
}
