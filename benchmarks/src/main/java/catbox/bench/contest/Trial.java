package catbox.bench.contest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** one trial of a contender at a case, in one round. */
record Trial(String workload, String caseName, String contender, long round) {

    /**
     * Returns the trials of all rounds, each round in another order, so that a contender does not always follow one that
     * leaves the disk busy. The order is the same in each run, so that runs are comparable.
     */
    static List<Trial> of(String workload, String caseName, List<String> contenders, int rounds) {
        Random order = new Random(caseName.hashCode());
        List<Trial> trials = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<String> shuffled = new ArrayList<>(contenders);
            Collections.shuffle(shuffled, order);
            for (String contender : shuffled) {
                trials.add(new Trial(workload, caseName, contender, round));
            }
        }
        return trials;
    }

    /** Returns the trials of these results, including failed ones. */
    static Set<Trial> in(List<Map<String, Object>> lines) {
        Set<Trial> trials = new HashSet<>();
        for (Map<String, Object> line : lines) {
            if (line.containsKey("case")) {
                trials.add(new Trial(
                        ContenderProcess.text(line, "workload"),
                        ContenderProcess.text(line, "case"),
                        ContenderProcess.text(line, "contender"),
                        ContenderProcess.number(line, "round")));
            }
        }
        return trials;
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
