package catbox.bench.contest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Whose turn it is at what, and for which time. */
record Turn(String workload, String caseName, String contender, long round) {

    /**
     * Round by round, and in each in another order: who comes after one that leaves the disk busy would otherwise do so
     * every time. It is the same order in each run, so that runs can be compared.
     */
    static List<Turn> of(String workload, String caseName, List<String> contenders, int rounds) {
        Random order = new Random(caseName.hashCode());
        List<Turn> turns = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<String> shuffled = new ArrayList<>(contenders);
            Collections.shuffle(shuffled, order);
            for (String contender : shuffled) {
                turns.add(new Turn(workload, caseName, contender, round));
            }
        }
        return turns;
    }

    /** The turns that these results are of, also those that failed. */
    static Set<Turn> in(List<Map<String, Object>> lines) {
        Set<Turn> turns = new HashSet<>();
        for (Map<String, Object> line : lines) {
            if (line.containsKey("case")) {
                turns.add(new Turn(
                        ContenderProcess.text(line, "workload"),
                        ContenderProcess.text(line, "case"),
                        ContenderProcess.text(line, "contender"),
                        ContenderProcess.number(line, "round")));
            }
        }
        return turns;
    }

    /** The beginning of its result. */
    Map<String, Object> line() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("workload", workload);
        line.put("case", caseName);
        line.put("contender", contender);
        line.put("round", round);
        return line;
    }
}
