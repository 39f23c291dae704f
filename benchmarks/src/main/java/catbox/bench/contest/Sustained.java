package catbox.bench.contest;

import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Statistics;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** W4: measures everything at once: writers at full speed, and whether deliveries keep up with them. */
final class Sustained implements Workload {

    private static final int SECONDS = 60;
    private static final int SECONDS_QUICK = 5;
    private static final int PER_SECOND_MAX = 10_000; // More than the writers reach; it only reserves numbers.
    private static final Duration CATCHING_UP = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "w4";
    }

    @Override
    public List<Case> cases(boolean quick) {
        int seconds = quick ? SECONDS_QUICK : SECONDS;
        return List.of(new Writers(8, seconds));
    }

    private record Writers(int threads, int seconds) implements Case {

        @Override
        public String name() {
            return threads + " writers";
        }

        @Override
        public boolean suits(Entrant entrant) {
            return true;
        }

        @Override
        public void warmUp(Stage stage, Stage.Actor actor) throws Exception {
            measure(stage, actor, SECONDS_QUICK);
        }

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            return measure(stage, actor, seconds);
        }

        private Map<String, Object> measure(Stage stage, Stage.Actor actor, int time) throws Exception {
            ContenderProcess process = actor.process();
            process.ask("clear", "cleared", PATIENCE);
            stage.arena().settleDown(actor.place());
            process.ask("start", "started", PATIENCE);
            Latency.awaitFirst(stage, actor);
            Map<String, Object> values = write(stage, actor, time);
            if (values.containsKey("cut")) {
                stage.leave(actor.entrant()); // Its remaining work could take minutes.
            } else {
                process.ask("stop", "stopped", PATIENCE);
            }
            return values;
        }

        private Map<String, Object> write(Stage stage, Stage.Actor actor, int time) throws Exception {
            EventPlan plan = stage.plan(time * PER_SECOND_MAX, 1_000, 0, 500);
            Map<String, String> client = stage.arena().kafkaClient();
            Map<TopicPartition, Long> from =
                    TopicReader.ends(client, actor.place().topic().name());
            List<ContenderProcess> processes = List.of(actor.process());
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("load", Results.load());
            try (TopicReader reader = new TopicReader(client, from, plan)) {
                Meters before = stage.meters(actor, processes);
                String words = "publish " + plan.words() + " threads=" + threads + " seconds=" + time;
                Map<String, Object> answer = actor.process().ask(words, "published", PATIENCE);
                long[] committed = (long[]) Objects.requireNonNull(answer.get("micros"));
                int published =
                        (int) Arrays.stream(committed).filter(each -> each > 0).count();
                boolean caughtUp = reader.await(published, CATCHING_UP);
                values.put("events", published);
                values.put("allocatedBytes", Meters.per(ContenderProcess.number(answer, "allocatedBytes"), published));
                values.putAll(stage.meters(actor, processes).perEvent(before, published));
                values.putAll(keepingUp(committed, reader.arrivedMicros()));
                values.putAll(reader.findings(caughtUp ? published : 0));
                if (!caughtUp) {
                    values.put("cut", 1);
                }
            }
            return values;
        }
    }

    /**
     * Returns how many events were published and how many had arrived when the writers stopped; the difference is the
     * backlog that grew. The rate is that of deliveries, which is sustainable.
     */
    static Map<String, Object> keepingUp(long[] committed, long[] arrived) {
        long begin = Arrays.stream(committed).filter(each -> each > 0).min().orElseThrow();
        long end = Arrays.stream(committed).max().orElseThrow();
        int[] published = IntStream.range(0, committed.length)
                .filter(i -> committed[i] > 0)
                .toArray();
        long delivered = Arrays.stream(published)
                .filter(i -> arrived[i] > 0 && arrived[i] <= end)
                .count();
        double seconds = Math.max(1, end - begin) / 1e6;
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("publishedPerSecond", published.length / seconds);
        values.put("perSecond", delivered / seconds);
        values.put("backlogAtEnd", published.length - delivered);
        values.put("catchUpMillis", Math.max(0, Arrays.stream(arrived).max().orElse(end) - end) / 1e3);
        values.putAll(Statistics.latencies(Arrays.stream(published)
                .filter(i -> arrived[i] > 0)
                .mapToDouble(i -> Math.max(0, arrived[i] - committed[i]) / 1e3)
                .toArray()));
        return values;
    }
}
