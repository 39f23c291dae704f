package catbox.bench.contest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One turn of a contender at a case, in one round. */
record Turn(String workload, String caseName, String contender, long round) {

    /**
     * Returns the turns of all rounds, each round in another order, so that a contender does not always follow one that
     * leaves the disk busy. The order is the same in each run, so that runs are comparable.
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

    /** Returns the turns of these results, including failed ones. */
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

    /** Returns the beginning of its result. */
    Map<String, Object> line() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("workload", workload);
        line.put("case", caseName);
        line.put("contender", contender);
        line.put("round", round);
        return line;
    }
}
