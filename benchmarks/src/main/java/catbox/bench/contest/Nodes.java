package catbox.bench.contest;

import catbox.bench.contender.EventPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** W6: one, two and three nodes on the same table. They run and have shared the work before there is any. */
final class Nodes implements Workload {

    private static final int EVENTS = 100_000;
    private static final int SECONDS_MAX = 20;
    private static final int SECONDS_MAX_QUICK = 3;
    private static final Duration SHARING = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "w6";
    }

    @Override
    public List<Case> cases(boolean quick) {
        int seconds = quick ? SECONDS_MAX_QUICK : SECONDS_MAX;
        return List.of(new Cluster(1, seconds), new Cluster(2, seconds), new Cluster(3, seconds));
    }

    private record Cluster(int nodes, int secondsMax) implements Case {

        @Override
        public String name() {
            return nodes == 1 ? "1 node" : nodes + " nodes";
        }

        @Override
        public boolean suits(Entrant entrant) {
            return true;
        }

        @Override
        public void warmUp(Stage stage, Stage.Actor actor) throws Exception {
            run(stage, actor);
        }

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            List<ContenderProcess> others = new ArrayList<>();
            try {
                for (int node = 2; node <= nodes; node++) {
                    others.add(stage.anotherNode(actor, node));
                }
                List<ContenderProcess> all = new ArrayList<>(List.of(actor.process()));
                all.addAll(others);
                return drain(stage, actor, all);
            } finally {
                others.forEach(ContenderProcess::close);
            }
        }

        private Map<String, Object> drain(Stage stage, Stage.Actor actor, List<ContenderProcess> all) throws Exception {
            int events = Math.min(EVENTS, actor.entrant().aboutPerSecond() * secondsMax);
            // Further nodes are new each time, so the first half only warms them up.
            Map<String, Object> values = Map.of();
            for (int run = 0; run < 2; run++) {
                EventPlan plan = stage.plan(events, 1_000, 0, 500);
                Map<TopicPartition, Long> from = TopicReader.ends(
                        stage.arena().kafkaClient(), actor.place().topic().name());
                actor.process().ask("clear", "cleared", PATIENCE);
                stage.arena().settleDown(actor.place());
                for (ContenderProcess process : all) {
                    process.ask("start", "started", PATIENCE);
                }
                Thread.sleep(SHARING);
                double load = Results.load();
                Race race = new Race(stage, all);
                actor.process().tell("append " + plan.words());
                values = race.watch(events, PATIENCE);
                values.put("load", load);
                for (ContenderProcess process : all) {
                    process.ask("stop", "stopped", PATIENCE);
                }
                values.putAll(Drain.check(stage, from, plan, actor.entrant()));
            }
            return values;
        }
    }
}
