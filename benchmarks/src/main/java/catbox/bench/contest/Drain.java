package catbox.bench.contest;

import catbox.bench.contender.EventPlan;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.TopicPartition;

/** W1: measures how fast a backlog is drained, from the relay's first event until its last is settled. */
final class Drain implements Workload {

    /** A contender that has not finished by then has shown its rate. */
    private static final Duration LIMIT = Duration.ofSeconds(6);

    /** For a million events, which only fast contenders get. */
    private static final Duration LIMIT_LARGE = Duration.ofSeconds(40);

    private static final Duration LIMIT_QUICK = Duration.ofSeconds(4);
    private static final Duration WARM_UP = Duration.ofSeconds(30);
    private static final Duration WARM_UP_QUICK = Duration.ofSeconds(2);
    private static final Duration BRIEF = Duration.ofSeconds(1);
    /** For fast contenders: filling the table takes longer than draining it. */
    private static final int WARM_UP_DRAINS_MAX = 12;

    private static final int WARM_UP_EVENTS = 100_000;
    private static final int LARGE = 1_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "w1";
    }

    @Override
    public List<Case> cases(boolean quick) {
        return List.of(
                new Backlog("10k", 10_000, new Shape(1_000, 0, 500), quick),
                new Backlog("100k", 100_000, new Shape(1_000, 0, 500), quick),
                new Backlog("1m", LARGE, new Shape(1_000, 0, 500), quick),
                new Backlog("5kB", 50_000, new Shape(1_000, 0, 5_000), quick),
                // Fewer, because a contender that keeps order may send one event of a key at a time.
                new Backlog("1 key", 20_000, new Shape(1, 0, 500), quick),
                new Backlog("10 keys", 20_000, new Shape(10, 0, 500), quick),
                new Backlog("hot key", 20_000, new Shape(1_000, 50, 500), quick),
                new JustStarted(50_000, new Shape(1_000, 0, 500), quick ? LIMIT_QUICK : LIMIT));
    }

    /** The number of keys, the percentage of the hot key, and the payload's size in bytes. */
    record Shape(int keys, int hotPercent, int bytes) {

        EventPlan plan(Stage stage, int events) {
            return stage.plan(events, keys, hotPercent, bytes);
        }
    }

    private record Backlog(String name, int events, Shape shape, boolean quick) implements Case {

        // Others would write a million for minutes, and drain a small part of it. A contender that pauses between polls
        // shows the same pause in every case. Loops ignore keys, so one of them is enough for comparison there.
        @Override
        public boolean suits(Entrant entrant) {
            boolean ofKeys = shape.keys() < 1_000 || shape.hotPercent() > 0;
            return switch (entrant) {
                case TEXTBOOK -> events == WARM_UP_EVENTS;
                case HAND_OVERLAPPING_UPDATE -> true;
                default ->
                    ofKeys
                            ? entrant.kind() != Entrant.Kind.LIMIT
                            : events < LARGE || entrant.aboutPerSecond() >= 10_000;
            };
        }

        // As long as compilers need, and with batches like the measured ones, but not smaller: the beginning of a short
        // drain must not include what a long one has behind it.
        @Override
        public void warmUp(Stage stage, Stage.Actor actor) throws Exception {
            int warm = shape.keys() < 1_000 || shape.hotPercent() > 0 ? events : Math.min(WARM_UP_EVENTS, affordable());
            Duration most = quick ? WARM_UP_QUICK : WARM_UP;
            Duration rest = most;
            // In less time a slow one would settle nothing, which counts as a failure.
            for (int drains = 0; drains < WARM_UP_DRAINS_MAX && rest.compareTo(BRIEF) > 0; drains++) {
                long micros = ContenderProcess.number(drain(stage, actor, shape.plan(stage, warm), rest), "micros");
                rest = rest.minusNanos((micros + 1) * 1_000);
            }
        }

        private int affordable() {
            return shape.bytes() > 1_000 ? events : WARM_UP_EVENTS;
        }

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            return drain(stage, actor, shape.plan(stage, quick ? Math.min(events, 100_000) : events), limit());
        }

        private Duration limit() {
            return quick ? LIMIT_QUICK : events < LARGE ? LIMIT : LIMIT_LARGE;
        }
    }

    /**
     * Drains in a process that has just started, which is the usual situation of a backlog: it grew while the process
     * was down.
     */
    private record JustStarted(int events, Shape shape, Duration limit) implements Case {

        @Override
        public String name() {
            return "just started";
        }

        @Override
        public boolean suits(Entrant entrant) {
            return switch (entrant) {
                case TEXTBOOK -> false;
                case HAND_OVERLAPPING_UPDATE, HAND_OVERLAPPING_DELETE -> true;
                default -> entrant.kind() != Entrant.Kind.LIMIT;
            };
        }

        @Override
        public void warmUp(Stage stage, Stage.Actor actor) {}

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            stage.leave(actor.entrant());
            Map<String, Object> values = drain(stage, stage.actor(actor.entrant()), shape.plan(stage, events), limit);
            stage.leave(actor.entrant()); // Just started, it would still compile during the next trial.
            return values;
        }
    }

    static Map<String, Object> drain(Stage stage, Stage.Actor actor, EventPlan plan, Duration limit)
            throws IOException, InterruptedException, SQLException, ExecutionException {
        ContenderProcess process = actor.process();
        String topic = actor.place().topic().name();
        Map<TopicPartition, Long> from = TopicReader.ends(stage.arena().kafkaClient(), topic);
        process.ask("clear", "cleared", PATIENCE);
        process.ask("append " + plan.words(), "appended", PATIENCE);
        stage.arena().settleDown(actor.place());
        double load = Results.load();
        Race race = new Race(stage, actor, List.of(process));
        process.ask("start", "started", PATIENCE);
        Map<String, Object> values = race.watch(plan.events(), limit);
        process.ask("stop", "stopped", PATIENCE);
        values.put("load", load);
        values.putAll(check(stage, from, plan, actor.entrant(), ContenderProcess.number(values, "events")));
        return values;
    }

    /** Returns the consumer's findings after the run, so that checking costs the contender nothing. */
    static Map<String, Object> check(
            Stage stage, Map<TopicPartition, Long> from, EventPlan plan, Entrant entrant, long settled)
            throws InterruptedException, ExecutionException {
        if (entrant.label().startsWith("hand-database")) {
            return Map.of();
        }
        Map<String, String> client = stage.arena().kafkaClient();
        String topic = new ArrayList<>(from.keySet()).getFirst().topic();
        Map<TopicPartition, Long> ends = TopicReader.ends(client, topic);
        try (TopicReader reader = new TopicReader(client, from, plan)) {
            if (!reader.awaitEnds(ends, PATIENCE)) {
                throw new IllegalStateException("the consumer did not read to the end within " + PATIENCE);
            }
            stage.arena().forget(ends);
            return reader.findings(settled);
        }
    }
}
