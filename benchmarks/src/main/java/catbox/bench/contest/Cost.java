package catbox.bench.contest;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * W3: measures what an event adds to the business transaction. Nothing is delivered meanwhile, if the contender allows
 * that.
 */
final class Cost implements Workload {

    private static final int ALTERNATIONS = 5;
    private static final int ALTERNATIONS_QUICK = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "w3";
    }

    @Override
    public List<Case> cases(boolean quick) {
        return List.of(threads(1, quick), threads(8, quick));
    }

    static Case threads(int threads, boolean quick) {
        return new Threads(threads, quick ? ALTERNATIONS_QUICK : ALTERNATIONS);
    }

    private record Threads(int threads, int trials) implements Case {

        @Override
        public String name() {
            return threads == 1 ? "1 thread" : threads + " threads";
        }

        @Override
        public boolean suits(Entrant entrant) {
            return true;
        }

        @Override
        public void warmUp(Stage stage, Stage.Actor actor) throws Exception {
            measure(stage, actor, 4);
        }

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            return measure(stage, actor, trials);
        }

        private Map<String, Object> measure(Stage stage, Stage.Actor actor, int rounds) throws Exception {
            ContenderProcess process = actor.process();
            // The dispatcher sends in the publishing process, so it cannot be left out.
            boolean delivers = actor.entrant() == Entrant.CATBOX_DISPATCHER;
            process.ask("clear", "cleared", PATIENCE);
            stage.arena().settleDown(actor.place());
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("load", Results.load());
            if (delivers) {
                process.ask("start", "started", PATIENCE);
            }
            Map<String, Object> line = process.ask("cost threads=" + threads + " rounds=" + rounds, "cost", PATIENCE);
            if (delivers) {
                process.ask("stop", "stopped", PATIENCE);
            }
            for (String name : List.of("businessMicros", "publishMicros", "ratio")) {
                values.put(name, Objects.requireNonNull(line.get(name)));
            }
            return values;
        }
    }
}
