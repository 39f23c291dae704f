package catbox.bench.contest;

import catbox.bench.contender.EventPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** W6: one, two and three nodes on the same table, which begin together on a new backlog. */
final class Nodes implements Workload {

    private static final int EVENTS = 100_000;
    private static final Duration LIMIT = Duration.ofSeconds(8);
    private static final Duration LIMIT_QUICK = Duration.ofSeconds(4);
    private static final int WARM_UPS = 1;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "w6";
    }

    @Override
    public List<Case> cases(boolean quick) {
        Duration limit = quick ? LIMIT_QUICK : LIMIT;
        return List.of(new Cluster(1, limit), new Cluster(2, limit), new Cluster(3, limit));
    }

    private record Cluster(int nodes, Duration limit) implements Case {

        @Override
        public String name() {
            return nodes == 1 ? "1 node" : nodes + " nodes";
        }

        @Override
        public boolean suits(Entrant entrant) {
            return true;
        }

        // Nodes are new each time, so each run warms them up itself.
        @Override
        public void warmUp(Stage stage, Stage.Actor actor) {}

        @Override
        public Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception {
            List<ContenderProcess> others = new ArrayList<>();
            try {
                for (int node = 2; node <= nodes; node++) {
                    others.add(stage.anotherNode(actor, node));
                }
                List<ContenderProcess> all = new ArrayList<>(List.of(actor.process()));
                all.addAll(others);
                for (int warm = 0; warm < WARM_UPS; warm++) {
                    drain(stage, actor, all);
                }
                return drain(stage, actor, all);
            } finally {
                others.forEach(ContenderProcess::close);
            }
        }

        private Map<String, Object> drain(Stage stage, Stage.Actor actor, List<ContenderProcess> all) throws Exception {
            EventPlan plan = stage.plan(EVENTS, 1_000, 0, 500);
            Map<TopicPartition, Long> from = TopicReader.ends(
                    stage.arena().kafkaClient(), actor.place().topic().name());
            actor.process().ask("clear", "cleared", PATIENCE);
            actor.process().ask("append " + plan.words(), "appended", PATIENCE);
            stage.arena().settleDown(actor.place());
            double load = Results.load();
            Race race = new Race(stage, actor, all);
            for (ContenderProcess process : all) {
                process.send("start");
            }
            Map<String, Object> values = race.watch(plan.events(), limit);
            for (ContenderProcess process : all) {
                process.ask("stop", "stopped", PATIENCE);
            }
            values.put("load", load);
            values.putAll(Drain.check(stage, from, plan, actor.entrant(), ContenderProcess.number(values, "events")));
            return values;
        }
    }
}
