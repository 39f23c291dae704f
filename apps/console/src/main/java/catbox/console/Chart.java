package catbox.console;

import catbox.console.Sources.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A chart of the last minutes as the server paints it, which also works without scripts. The page's script continues it by
 * the same rules.
 *
 * @param name identifies it to the script
 * @param unit of its values
 * @param top the value at its upper edge
 * @param lines of its series
 */
public record Chart(String name, String title, String unit, String top, List<Line> lines) {

    static final Duration WINDOW = Duration.ofMinutes(5);
    private static final int WIDTH = 600;
    private static final int HEIGHT = 120;

    /**
     * One series.
     *
     * @param path of an SVG; empty when there is nothing to draw
     * @param latest its last value, as text
     */
    public record Line(String label, String path, String latest) {}

    private record Series(String label, Function<Pulse, @Nullable Double> value) {}

    static List<Chart> all(List<Pulse> history, Instant now) {
        Instant end = history.isEmpty() ? now : history.get(history.size() - 1).at();
        // Older values are not drawn, so they must not set the scale.
        List<Pulse> pulses = history.stream()
                .filter(pulse -> pulse.at().isAfter(end.minus(WINDOW)))
                .toList();
        return List.of(
                chart(
                        new String[] {"throughput", "Throughput", "events/s"},
                        List.of(
                                new Series("delivered", Pulse::deliveredPerSecond),
                                new Series("failed", Pulse::failedPerSecond)),
                        pulses,
                        end),
                chart(
                        new String[] {"latency", "Latency", "ms"},
                        List.of(new Series("p50", Pulse::latencyP50Millis), new Series("p99", Pulse::latencyP99Millis)),
                        pulses,
                        end),
                chart(
                        new String[] {"lag", "Lag", "s"},
                        List.of(new Series("oldest pending", Pulse::oldestPendingSeconds)),
                        pulses,
                        end));
    }

    /** The data from which the script continues: a row per second. */
    static String data(List<Pulse> pulses) {
        return pulses.stream()
                .skip(Math.max(0, pulses.size() - WINDOW.toSeconds()))
                .map(Chart::row)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String row(Pulse pulse) {
        return Stream.of(
                        (double) pulse.at().getEpochSecond(),
                        pulse.deliveredPerSecond(),
                        pulse.failedPerSecond(),
                        pulse.latencyP50Millis(),
                        pulse.latencyP99Millis(),
                        pulse.oldestPendingSeconds())
                .map(Chart::plain)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static Chart chart(String[] names, List<Series> series, List<Pulse> pulses, Instant end) {
        double max = 0;
        for (Series one : series) {
            for (Pulse pulse : pulses) {
                Double value = one.value().apply(pulse);
                max = value == null ? max : Math.max(max, value);
            }
        }
        double top = top(max);
        List<Line> lines = new ArrayList<>();
        for (Series one : series) {
            lines.add(new Line(one.label(), path(one, pulses, end, top), latest(one, pulses)));
        }
        return new Chart(names[0], names[1], names[2], plain(top), List.copyOf(lines));
    }

    private static String path(Series series, List<Pulse> pulses, Instant end, double top) {
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (Pulse pulse : pulses) {
            Double value = series.value().apply(pulse);
            double x = WIDTH * (1 - Duration.between(pulse.at(), end).toMillis() / (double) WINDOW.toMillis());
            if (value == null || x < 0) {
                pen = false;
                continue;
            }
            path.append(pen ? 'L' : 'M')
                    .append(plain(x))
                    .append(' ')
                    .append(plain(HEIGHT - value / top * (HEIGHT - 4) - 2));
            pen = true;
        }
        return path.toString();
    }

    private static String latest(Series series, List<Pulse> pulses) {
        Double value = pulses.isEmpty() ? null : series.value().apply(pulses.get(pulses.size() - 1));
        return value == null ? "–" : plain(value);
    }

    /** The next of 1, 2, 5, 10, 20 and so on, so that the edge is a round number. */
    static double top(double max) {
        double top = 1;
        for (int i = 0; top < max && i < 60; i++) {
            top *= i % 3 == 1 ? 2.5 : 2;
        }
        return top;
    }

    private static String plain(@Nullable Double value) {
        if (value == null) {
            return "null";
        }
        return value == Math.rint(value) ? Long.toString(Math.round(value)) : String.format(Locale.ROOT, "%.1f", value);
    }
}
