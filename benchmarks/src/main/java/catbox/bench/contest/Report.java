package catbox.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Creates Markdown and charts from the lines that runs have stored. */
public final class Report {

    private final List<Map<String, Object>> lines;
    private final List<Medians> medians;

    Report(List<Map<String, Object>> lines) {
        this.lines = lines;
        this.medians = Medians.of(lines);
    }

    /**
     * Writes report.md and the charts. The arguments may name a file or folder of results, and a folder to write to.
     */
    public static void run(List<String> words) throws IOException {
        Path from = words.isEmpty() ? Program.home().resolve("results") : Path.of(words.get(0));
        if (!Files.exists(from)) {
            throw new IllegalArgumentException("no results in " + from + ": ./catbox bench peers leaves some");
        }
        Path folder = Files.isDirectory(from) ? from : from.toAbsolutePath().resolveSibling("");
        Path to = words.size() > 1 ? Path.of(words.get(1)) : folder;
        Files.createDirectories(to);
        Report report = new Report(Results.read(from));
        Files.writeString(to.resolve("report.md"), report.markdown());
        for (Map.Entry<String, String> chart : report.charts().entrySet()) {
            Files.writeString(to.resolve(chart.getKey()), chart.getValue());
        }
        System.out.println("report: " + to.resolve("report.md"));
    }

    String markdown() {
        StringBuilder text = new StringBuilder("# Catbox and its peers\n\n");
        conditions(text);
        for (ReportSection section : ReportSection.all()) {
            for (String caseName : cases(section)) {
                text.append("\n## ")
                        .append(section.title())
                        .append(", ")
                        .append(caseName)
                        .append("\n\n");
                text.append("![")
                        .append(chartTitle(section, caseName))
                        .append("](")
                        .append(file(section, caseName))
                        .append(")\n\n");
                table(text, section, of(section, caseName));
            }
        }
        return text.toString();
    }

    private void conditions(StringBuilder text) {
        text.append(
                "Medians of rounds in which all alternate; duplicates, events out of order and missing ones at their"
                        + " worst. Numbers of different machines, or of different runs, do not compare.\n\n");
        Set<String> settings = new LinkedHashSet<>();
        List<Map<String, Object>> parts = new ArrayList<>();
        for (Map<String, Object> line : lines) {
            if ("machine".equals(line.get("workload"))) {
                settings.add("- " + line.get("cores") + " cores; " + line.get("settings") + "\n");
                parts.add(line);
            } else if ("contender".equals(line.get("workload"))) {
                settings.add("- **" + line.get("contender") + "**, " + kind(ContenderProcess.text(line, "contender"))
                        + ": " + line.get("settings") + "\n");
            }
        }
        settings.forEach(text::append);
        if (!parts.isEmpty()) {
            text.append("- run in ")
                    .append(parts.size())
                    .append(parts.size() == 1 ? " part, at " : " parts, from ")
                    .append(parts.getFirst().get("at"))
                    .append(parts.size() == 1 ? "" : " to " + parts.getLast().get("at"))
                    .append("; load of the minute before a trial at most ")
                    .append(String.format(
                            Locale.ROOT,
                            "%.1f",
                            lines.stream().mapToDouble(Report::load).max().orElse(-1)))
                    .append('\n');
        }
    }

    private static double load(Map<String, Object> line) {
        return line.get("load") instanceof Number number ? number.doubleValue() : -1;
    }

    // Separated, because only contenders of one kind compare: one that sends from its own process saves the detour.
    private String kind(String contender) {
        return lines.stream()
                .filter(line -> contender.equals(line.get("contender")) && line.containsKey("kind"))
                .map(line -> ContenderProcess.text(line, "kind")
                        .toLowerCase(Locale.ROOT)
                        .replace('_', ' '))
                .findFirst()
                .orElse("");
    }

    private void table(StringBuilder text, ReportSection section, List<Medians> rows) {
        text.append("| | | rounds | ")
                .append(section.columns().stream()
                        .map(ReportSection.Column::title)
                        .collect(Collectors.joining(" | ")))
                .append(" |\n| --- | --- | --: |")
                .append(" --: |".repeat(section.columns().size()))
                .append('\n');
        for (Medians row : rows) {
            String contender = row.key().contender();
            text.append("| ").append(contender).append(" | ").append(kind(contender));
            text.append(" | ").append(row.rounds());
            text.append(row.failures() == 0 ? "" : ", " + row.failures() + " failed");
            text.append(row.values().containsKey("cut") ? ", stopped at the time limit" : "");
            for (ReportSection.Column column : section.columns()) {
                Double value = row.values().get(column.field());
                text.append(" | ").append(value == null ? "" : column.format(value));
            }
            text.append(" |\n");
        }
    }

    /** Returns SVG by file name. */
    Map<String, String> charts() {
        Map<String, String> charts = new LinkedHashMap<>();
        for (ReportSection section : ReportSection.all()) {
            for (String caseName : cases(section)) {
                List<BarChart.Bar> bars = of(section, caseName).stream()
                        .filter(row -> row.values().containsKey(section.chart()))
                        .map(row -> new BarChart.Bar(
                                row.key().contender(),
                                row.values().getOrDefault(section.chart(), 0.0),
                                row.key().contender().startsWith("catbox")))
                        .toList();
                charts.put(file(section, caseName), new BarChart(chartTitle(section, caseName), bars).svg());
            }
        }
        return charts;
    }

    private static String chartTitle(ReportSection section, String caseName) {
        String column = section.columns().stream()
                .filter(each -> each.field().equals(section.chart()))
                .map(ReportSection.Column::title)
                .findFirst()
                .orElse(section.chart());
        return section.workload().toUpperCase(Locale.ROOT) + ", " + caseName + ": " + column
                + (section.most() ? " (more is better)" : " (less is better)");
    }

    private static String file(ReportSection section, String caseName) {
        return section.workload() + "-" + caseName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
    }

    private List<String> cases(ReportSection section) {
        return medians.stream()
                .filter(row -> row.key().workload().equals(section.workload()))
                .map(row -> row.key().caseName())
                .distinct()
                .toList();
    }

    // The best first; contenders that always failed last.
    private List<Medians> of(ReportSection section, String caseName) {
        double worst = section.most() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        Comparator<Medians> byChart =
                Comparator.comparingDouble(row -> row.values().getOrDefault(section.chart(), worst));
        return medians.stream()
                .filter(row -> row.key().workload().equals(section.workload()))
                .filter(row -> row.key().caseName().equals(caseName))
                .sorted(section.most() ? byChart.reversed() : byChart)
                .toList();
    }
}
