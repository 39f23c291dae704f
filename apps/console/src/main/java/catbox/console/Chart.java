package catbox.console;

import catbox.console.Sources.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A chart of the last minutes as it is first painted, so that it is there without scripts; where there are some, they
 * go on with it by the same rules.
 *
 * @param name by which scripts find it
 * @param unit of its numbers
 * @param top the number at its upper edge
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
     * @param latest its last value, in words
     */
    public record Line(String label, String path, String latest) {}

    private record Series(String label, Function<Pulse, @Nullable Double> value) {}

    static List<Chart> all(List<Pulse> history, Instant now) {
        Instant end = history.isEmpty() ? now : history.get(history.size() - 1).at();
        // What is older is not drawn, so it must not set the scale either.
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

    /** What the script goes on with: a row per second, in the order of {@link LiveFigures}. */
    static String data(List<Pulse> pulses) {
        StringBuilder rows = new StringBuilder("[");
        for (Pulse pulse : pulses.subList(Math.max(0, pulses.size() - (int) WINDOW.toSeconds()), pulses.size())) {
            rows.append(rows.length() == 1 ? "[" : ",[")
                    .append(pulse.at().toEpochMilli() / 1000)
                    .append(',')
                    .append(plain(pulse.deliveredPerSecond()))
                    .append(',')
                    .append(plain(pulse.failedPerSecond()))
                    .append(',')
                    .append(plain(pulse.latencyP50Millis()))
                    .append(',')
                    .append(plain(pulse.latencyP99Millis()))
                    .append(',')
                    .append(plain(pulse.oldestPendingSeconds()))
                    .append(']');
        }
        return rows.append(']').toString();
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

    /** The next of 1, 2, 5, 10, 20 and so on, so that the edge is a number that people like. */
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
