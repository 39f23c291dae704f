package catbox.bench;

import java.util.List;
import java.util.Locale;

/** Durations of a measurement. */
record Milliseconds(List<Double> values) {

    /** Formats one line. */
    String summary(String name) {
        List<Double> sorted = values.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "%s: p50 %.2f, p95 %.2f, p99 %.2f, max %.1f",
                name,
                at(sorted, 0.5),
                at(sorted, 0.95),
                at(sorted, 0.99),
                sorted.get(sorted.size() - 1));
    }

    /** Returns the value below which this share of the values lies. */
    double at(double share) {
        return at(values.stream().sorted().toList(), share);
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(share * sorted.size())));
    }
}
