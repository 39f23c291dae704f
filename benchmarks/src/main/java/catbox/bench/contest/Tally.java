package catbox.bench.contest;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects what the processes of one contender report about a race: from the first event that any of them took to the
 * last settled.
 */
final class Tally {

    // By process.
    private final Map<Long, Map<String, Object>> first = new LinkedHashMap<>();
    private final Map<Long, Map<String, Object>> last = new LinkedHashMap<>();

    /** Records the line if it reports progress. Returns whether it does. */
    boolean hear(long process, Map<String, Object> line) {
        if (!line.containsKey("settled")) {
            return false;
        }
        first.putIfAbsent(process, line);
        last.put(process, line);
        return true;
    }

    long settled() {
        return sum(last, "settled");
    }

    boolean hasStarted() {
        return !first.isEmpty();
    }

    /** Returns the rate, and what the processes have allocated per event. */
    Map<String, Object> values() {
        long events = settled();
        long micros = extreme(last, true) - extreme(first, false);
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("events", events);
        values.put("micros", micros);
        values.put("perSecond", micros <= 0 ? 0.0 : events * 1e6 / micros);
        values.put("allocatedBytes", Meters.per(grown("allocatedBytes"), events));
        values.put("collectionMillis", grown("collectionMillis"));
        return values;
    }

    private static long extreme(Map<Long, Map<String, Object>> lines, boolean latest) {
        var times = lines.values().stream().mapToLong(line -> ContenderProcess.number(line, "micros"));
        return (latest ? times.max() : times.min()).orElse(0);
    }

    private long grown(String name) {
        return sum(last, name) - sum(first, name);
    }

    private static long sum(Map<Long, Map<String, Object>> lines, String name) {
        return lines.values().stream()
                .mapToLong(line -> ContenderProcess.number(line, name))
                .sum();
    }
}
