package catbox.bench.contest;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Observes one or more processes of a contender until together they have settled a number of events, or until the time
 * is over. In that case the result contains the rate reached so far and a mark.
 */
final class Race {

    private static final Duration START = Duration.ofMinutes(1);

    private final Stage stage;
    private final Stage.Actor actor;
    private final List<ContenderProcess> processes;
    private final Tally tally = new Tally();

    Race(Stage stage, Stage.Actor actor, List<ContenderProcess> processes) {
        this.stage = stage;
        this.actor = actor;
        this.processes = processes;
    }

    /** Counts from the first event that any of them took; so does the time limit. */
    Map<String, Object> watch(int events, Duration limit) throws InterruptedException, SQLException {
        Meters before = begin();
        long end = System.nanoTime() + limit.toNanos();
        while (tally.settled() < events && System.nanoTime() - end < 0) {
            pollAll();
        }
        if (tally.settled() == 0) {
            throw new IllegalStateException("nothing settled within " + limit);
        }
        Meters after = stage.meters(actor, processes);
        Map<String, Object> values = tally.values();
        values.putAll(after.perEvent(before, tally.settled()));
        if (tally.settled() < events) {
            values.put("cut", 1);
        }
        return values;
    }

    private Meters begin() throws InterruptedException, SQLException {
        long end = System.nanoTime() + START.toNanos();
        while (!tally.hasStarted()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("took up no event within " + START);
            }
            pollAll();
        }
        return stage.meters(actor, processes);
    }

    // With several processes the wait for each one is short.
    private void pollAll() throws InterruptedException {
        Duration patience = Duration.ofMillis(processes.size() == 1 ? 100 : 5);
        for (ContenderProcess process : processes) {
            Map<String, Object> line = process.nextWithin(patience);
            if (line != null) {
                tally.hear(process.pid(), line);
            }
        }
    }
}
