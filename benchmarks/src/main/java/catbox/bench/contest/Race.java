package catbox.bench.contest;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watches one or more processes of a contender until together they have settled a number of events. */
final class Race {

    private final Stage stage;
    private final List<ContenderProcess> processes;
    private final Map<ContenderProcess, Map<String, Object>> first = new HashMap<>();
    private final Map<ContenderProcess, Map<String, Object>> last = new HashMap<>();

    Race(Stage stage, List<ContenderProcess> processes) {
        this.stage = stage;
        this.processes = processes;
    }

    /** Counts from the first event that any of them took up. */
    Map<String, Object> watch(int events, Duration patience) throws InterruptedException, SQLException {
        long end = System.nanoTime() + patience.toNanos();
        Meters before = null;
        while (settled() < events) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("only " + settled() + " of " + events + " events within " + patience);
            }
            for (ContenderProcess process : processes) {
                if (hear(process) && before == null) {
                    before = stage.meters(processes);
                }
            }
        }
        return values(events, before, stage.meters(processes));
    }

    // Whether there was news. With several processes nobody waits long for one of them.
    private boolean hear(ContenderProcess process) throws InterruptedException {
        Map<String, Object> line = process.nextWithin(Duration.ofMillis(processes.size() == 1 ? 1_000 : 5));
        if (line == null || !line.containsKey("settled")) {
            return false;
        }
        first.putIfAbsent(process, line);
        last.put(process, line);
        return true;
    }

    private long settled() {
        return sum(last, "settled");
    }

    private Map<String, Object> values(int events, @Nullable Meters before, Meters after) {
        long began = first.values().stream()
                .mapToLong(line -> ContenderProcess.number(line, "micros"))
                .min()
                .orElseThrow();
        long ended = last.values().stream()
                .mapToLong(line -> ContenderProcess.number(line, "micros"))
                .max()
                .orElseThrow();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("events", events);
        values.put("micros", ended - began);
        values.put("perSecond", events * 1e6 / (ended - began));
        if (before != null) {
            values.putAll(after.perEvent(before, events));
        }
        values.put("allocatedBytes", Meters.per(grown("allocatedBytes"), events));
        values.put("collectionMillis", grown("collectionMillis"));
        return values;
    }

    private long grown(String name) {
        return sum(last, name) - sum(first, name);
    }

    private static long sum(Map<ContenderProcess, Map<String, Object>> lines, String name) {
        return lines.values().stream()
                .mapToLong(line -> ContenderProcess.number(line, name))
                .sum();
    }
}
