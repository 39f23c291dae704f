package catbox.chaos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The faults that the checker found, one sentence each. Duplicates with a reason are no fault and are only counted. */
record Findings(Map<Fault, List<String>> faults, Map<Reason, Integer> duplicates) {

    /** The kinds of fault. */
    enum Fault {
        LOST("lost: committed and never delivered"),
        ORDER("order violations within a key"),
        OWNERSHIP("deliveries begun when another relay owned the partition"),
        UNEXPLAINED("duplicates without a reason"),
        PHANTOM("delivered, but never committed"),
        PENDING("pending after the end"),
        DEAD("dead after the end"),
        STORE("rows that contradict their writer's knowledge");

        private final String text;

        Fault(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    boolean isGood() {
        return faults.values().stream().allMatch(List::isEmpty);
    }

    List<String> of(Fault fault) {
        return faults.getOrDefault(fault, List.of());
    }

    int duplicatesWithReason() {
        return duplicates.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the faults as lines of text, with an upper bound for each kind. */
    List<String> lines(int max) {
        List<String> lines = new ArrayList<>();
        new LinkedHashMap<>(faults).forEach((fault, sentences) -> {
            sentences.stream().limit(max).forEach(sentence -> lines.add(fault + ": " + sentence));
            if (sentences.size() > max) {
                lines.add(fault + ": and " + (sentences.size() - max) + " more");
            }
        });
        return lines;
    }
}
