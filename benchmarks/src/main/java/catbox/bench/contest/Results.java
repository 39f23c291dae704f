package catbox.bench.contest;

import catbox.bench.contender.JsonLine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Stores measurements: one JSON line per run, written at once, so that nothing is lost when a later run fails. */
final class Results {

    private final Path folder;
    private final Path file;

    /** Creates a new file in the folder, named by the time. */
    Results(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        String time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace(":", "");
        this.file = folder.resolve("run-" + time + ".jsonl");
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("workload", "machine");
        line.put("at", Instant.now().toString());
        line.put("cores", Runtime.getRuntime().availableProcessors());
        line.put("load", load());
        line.put("settings", Arena.settings() + "; " + Program.settings());
        add(line);
    }

    Path folder() {
        return folder;
    }

    Path file() {
        return file;
    }

    void add(Map<String, ?> line) throws IOException {
        Files.writeString(file, JsonLine.write(line) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Returns how many processes wanted a core in the last minute. More than the benchmark's own disturb it. */
    static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** Returns all lines of a file, or of all files of runs in a folder, the oldest first. */
    static List<Map<String, Object>> read(Path fileOrFolder) throws IOException {
        List<Map<String, Object>> lines = new ArrayList<>();
        if (!Files.isDirectory(fileOrFolder)) {
            Files.readAllLines(fileOrFolder).forEach(line -> lines.add(JsonLine.read(line)));
            return lines;
        }
        try (Stream<Path> files = Files.list(fileOrFolder)) {
            for (Path each : files.filter(path -> path.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                lines.addAll(read(each));
            }
        }
        return lines;
    }
}
