package catbox.bench.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Compares a short run with the last committed one: ratios of ours to hand-written code. */
record Baseline(List<Map<String, Object>> now, List<Map<String, Object>> before) {

    /** One ratio of our number to theirs in one case. */
    private record Ratio(String name, Medians.Key ours, Medians.Key byHand, String field) {

        OptionalDouble in(List<Map<String, Object>> lines) {
            Double our = value(lines, ours);
            Double their = value(lines, byHand);
            return our == null || their == null || their == 0 ? OptionalDouble.empty() : OptionalDouble.of(our / their);
        }

        private @Nullable Double value(List<Map<String, Object>> lines, Medians.Key key) {
            return Medians.of(lines).stream()
                    .filter(row -> row.key().equals(key))
                    .map(row -> row.values().get(field))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static final List<Ratio> RATIOS = List.of(
            ratio("drain, events/s (more is better)", "w1", "100k", "hand-overlapping-update", "perSecond"),
            ratio("latency p50 (less is better)", "w2", "200/s", "hand-notify-update", "p50"),
            ratio("latency p99 (less is better)", "w2", "200/s", "hand-notify-update", "p99"),
            ratio("publish (less is better)", "w3", "1 thread", "raw-insert", "ratio"));

    private static Ratio ratio(String name, String workload, String caseName, String byHand, String field) {
        return new Ratio(
                name,
                new Medians.Key(workload, caseName, "catbox"),
                new Medians.Key(workload, caseName, byHand),
                field);
    }

    /** Returns the command line of a short run, for each workload that a ratio needs. */
    static List<List<String>> words() {
        List<List<String>> all = new ArrayList<>();
        for (Ratio ratio : RATIOS) {
            List<String> words = List.of(
                    ratio.ours().workload(),
                    "--case",
                    ratio.ours().caseName(),
                    "--only",
                    "catbox," + ratio.byHand().contender());
            if (!all.contains(words)) {
                all.add(words);
            }
        }
        return all;
    }

    String comparison() {
        StringBuilder text = new StringBuilder("catbox ÷ by hand:\n");
        for (Ratio ratio : RATIOS) {
            OptionalDouble current = ratio.in(now);
            OptionalDouble earlier = ratio.in(before);
            text.append(String.format(
                    Locale.ROOT,
                    "  %-34s now %s, baseline %s%s%n",
                    ratio.name(),
                    shown(current),
                    shown(earlier),
                    current.isPresent() && earlier.isPresent()
                            ? String.format(Locale.ROOT, ", × %.2f", current.getAsDouble() / earlier.getAsDouble())
                            : ""));
        }
        return text.toString();
    }

    private static String shown(OptionalDouble ratio) {
        return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "unknown";
    }
}
