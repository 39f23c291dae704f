package catbox.bench.contender;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Computes medians and percentiles. */
public final class Statistics {

    private Statistics() {}

    /** Returns the middle value, or the mean of the two in the middle. */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing has no median");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the smallest value that this percentage of sorted values does not exceed. */
    public static double percentile(double[] sorted, double percent) {
        if (sorted.length == 0) {
            throw new IllegalArgumentException("nothing has no percentile");
        }
        // In binary, 99.9 of 1,000 is a little more than 999, and must not become 1,000.
        int rank = (int) Math.ceil(percent * sorted.length / 100 - 1e-9);
        return sorted[Math.max(rank, 1) - 1];
    }

    /** Returns p50, p95, p99, p99.9 and the maximum, of milliseconds in any order. */
    public static Map<String, Object> latencies(double[] millis) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("p50", percentile(sorted, 50));
        values.put("p95", percentile(sorted, 95));
        values.put("p99", percentile(sorted, 99));
        values.put("p999", percentile(sorted, 99.9));
        values.put("max", sorted[sorted.length - 1]);
        return values;
    }
}
