package catbox.bench.contest;

import catbox.bench.contender.EventPlan;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.TopicPartition;

/** W1: how fast a backlog is drained, from the moment the relay has its first event to when its last is settled. */
final class Drain implements Workload {

    private static final int SECONDS_MAX = 30;
    private static final int SECONDS_MAX_QUICK = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "w1";
    }

    @Override
    public List<Case> cases(boolean quick) {
        int seconds = quick ? SECONDS_MAX_QUICK : SECONDS_MAX;
        return List.of(
                new Backlog("10k", 10_000, new Shape(1_000, 0, 500), seconds),
                new Backlog("100k", 100_000, new Shape(1_000, 0, 500), seconds),
                new Backlog("1m", 1_000_000, new Shape(1_000, 0, 500), seconds),
                new Backlog("5kB", 100_000, new Shape(1_000, 0, 5_000), seconds),
                // Fewer, because who keeps order sends one event of a key at a time.
                new Backlog("1 key", 20_000, new Shape(1, 0, 500), seconds),
                new Backlog("10 keys", 20_000, new Shape(10, 0, 500), seconds),
                new Backlog("hot key", 20_000, new Shape(1_000, 50, 500), seconds));
    }

    /** Over how many keys, how many of a hundred to one of them, and of how many bytes. */
    record Shape(int keys, int hotPercent, int bytes) {

        EventPlan plan(Stage stage, int events) {
            return stage.plan(events, keys, hotPercent, bytes);
        }
    }

    private record Backlog(String name, int events, Shape shape, int secondsMax) implements Case {

        // A million is asked only of those who can.
        @Override
        public boolean suits(Entrant entrant) {
            return events < 1_000_000 || entrant.aboutPerSecond() >= 10_000;
        }

        @Override
        public void warmUp(Stage stage, Stage.Actor actor) throws Exception {
            for (int run = 0; run < 2; run++) {
                drain(stage, actor, shape.plan(stage, Math.min(100_000, events(actor.entrant()))));
            }
        }

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            return drain(stage, actor, shape.plan(stage, events(actor.entrant())));
        }

        private int events(Entrant entrant) {
            int affordable = entrant.aboutPerSecond() * secondsMax;
            return events < 1_000_000 ? Math.min(events, affordable) : events;
        }
    }

    static Map<String, Object> drain(Stage stage, Stage.Actor actor, EventPlan plan)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        ContenderProcess process = actor.process();
        String topic = actor.place().topic().name();
        Map<TopicPartition, Long> from = TopicReader.ends(stage.arena().kafkaClient(), topic);
        process.ask("clear", "cleared", PATIENCE);
        process.ask("append " + plan.words(), "appended", PATIENCE);
        stage.arena().settleDown(actor.place());
        double load = Results.load();
        Race race = new Race(stage, List.of(process));
        process.ask("start", "started", PATIENCE);
        Map<String, Object> values = race.watch(plan.events(), PATIENCE);
        process.ask("stop", "stopped", PATIENCE);
        values.put("load", load);
        values.putAll(check(stage, from, plan, actor.entrant()));
        return values;
    }

    /** What a consumer finds, afterwards, so that it costs the contender nothing. */
    static Map<String, Object> check(Stage stage, Map<TopicPartition, Long> from, EventPlan plan, Entrant entrant)
            throws InterruptedException, ExecutionException {
        if (entrant.label().startsWith("hand-database")) {
            return Map.of();
        }
        Map<String, String> client = stage.arena().kafkaClient();
        try (TopicReader reader = new TopicReader(client, from, plan)) {
            reader.await(plan.events(), Duration.ofSeconds(60));
            Map<String, Object> findings = reader.findings(plan.events());
            String topic = new ArrayList<>(from.keySet()).getFirst().topic();
            stage.arena().forget(TopicReader.ends(client, topic));
            return new LinkedHashMap<>(findings);
        }
    }
}
