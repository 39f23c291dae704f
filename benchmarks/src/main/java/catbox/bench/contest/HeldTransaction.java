package catbox.bench.contest;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * W5: another transaction stays open, so that no dead row can be vacuumed. Measures the latency before it, and in its
 * last seconds.
 */
final class HeldTransaction implements Workload {

    private static final int PER_SECOND = 2_000;
    private static final int SECONDS = 60;
    private static final int SECONDS_QUICK = 9;
    private static final int WARM_UP_SECONDS = 48;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "w5";
    }

    @Override
    public List<Case> cases(boolean quick) {
        return List.of(new Held(quick ? SECONDS_QUICK : SECONDS));
    }

    private record Held(int seconds) implements Case {

        @Override
        public String name() {
            return PER_SECOND + "/s";
        }

        @Override
        public boolean suits(Entrant entrant) {
            return entrant.aboutPerSecond() >= PER_SECOND;
        }

        @Override
        public void warmUp(Stage stage, Stage.Actor actor) throws Exception {
            measure(stage, actor, Math.min(seconds, WARM_UP_SECONDS));
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
            Latency.Pace pace = Latency.Pace.of(PER_SECOND);
            int window = PER_SECOND * Math.max(1, time / 6);
            try (Connection other = stage.arena().connect(actor.place())) {
                Latency.awaitFirst(stage, actor);
                Latency.Measured free = Latency.publish(stage, actor, pace, window);
                hold(other);
                Latency.Measured held = Latency.publish(stage, actor, pace, PER_SECOND * time);
                other.rollback();
                int events = held.millis().size();
                process.ask("stop", "stopped", PATIENCE);
                return values(free.millis(), held.millis().subList(events - window, events), held.values());
            }
        }
    }

    // It has written, and it has a snapshot, like a forgotten session. One of the two would be enough.
    private static void hold(Connection other) throws SQLException {
        other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute("SELECT pg_current_xact_id(), count(*) FROM orders");
        }
    }

    static Map<String, Object> values(List<Double> freeMillis, List<Double> heldMillis, Map<String, Object> whole) {
        Map<String, Object> free = Latency.latencies(freeMillis);
        Map<String, Object> held = Latency.latencies(heldMillis);
        Map<String, Object> values = new LinkedHashMap<>(whole);
        values.putAll(held);
        for (String name : List.of("p50", "p95", "p99")) {
            values.put("free" + name, (Double) Objects.requireNonNull(free.get(name)));
        }
        values.put(
                "slowdown",
                (Double) Objects.requireNonNull(held.get("p99")) / (Double) Objects.requireNonNull(free.get("p99")));
        return values;
    }
}
