package catbox.bench.contest;

import catbox.bench.contender.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Summarises the rounds of one contender in one case by the median of each number. Values that must always be zero are
 * reported by their maximum.
 */
record Medians(Key key, int rounds, int failures, Map<String, Double> values) {

    record Key(String workload, String caseName, String contender) {}

    private static final Set<String> AT_WORST = Set.of("duplicates", "inversions", "missing", "cut");

    /** Returns the medians in the order of first appearance. */
    static List<Medians> of(List<Map<String, Object>> lines) {
        Map<Key, List<Map<String, Object>>> groups = new LinkedHashMap<>();
        for (Map<String, Object> line : lines) {
            if (line.get("case") instanceof String caseName) {
                Key key = new Key(
                        ContenderProcess.text(line, "workload"), caseName, ContenderProcess.text(line, "contender"));
                groups.computeIfAbsent(key, unknown -> new ArrayList<>()).add(line);
            }
        }
        List<Medians> all = new ArrayList<>();
        groups.forEach((key, group) -> all.add(of(key, group)));
        return all;
    }

    private static Medians of(Key key, List<Map<String, Object>> group) {
        Map<String, List<Double>> numbers = new LinkedHashMap<>();
        int failures = 0;
        for (Map<String, Object> line : group) {
            if (line.containsKey("failure")) {
                failures++;
                continue;
            }
            line.forEach((name, value) -> {
                if (value instanceof Number number) {
                    numbers.computeIfAbsent(name, unknown -> new ArrayList<>()).add(number.doubleValue());
                }
            });
        }
        Map<String, Double> values = new LinkedHashMap<>();
        numbers.forEach((name, some) -> values.put(
                name,
                AT_WORST.contains(name)
                        ? some.stream().mapToDouble(Double::doubleValue).max().orElse(0)
                        : Statistics.median(some)));
        return new Medians(key, group.size(), failures, values);
    }
}
