package catbox.mutations;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The folder of the repository, with its sources and what was built of them. */
record Checkout(Path root) {

    private static final List<String> MODULES = List.of(
            "core",
            "relay",
            "testkit",
            "stores/jdbc",
            "stores/mongodb",
            "transports/kafka",
            "transports/http",
            "transports/rabbitmq",
            "transports/sqs");

    /** Where tests and the launcher find it. */
    static Checkout here() {
        String root = System.getProperty("catbox.root");
        return new Checkout(root == null ? Path.of(System.getProperty("basedir", ""), "..", "..") : Path.of(root));
    }

    /** The changed sources, by file. */
    Map<String, String> apply(List<Edit> edits) throws IOException {
        Map<String, String> changed = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String source = changed.get(edit.file());
            changed.put(edit.file(), edit.apply(source == null ? Files.readString(source(edit.file())) : source));
        }
        return changed;
    }

    private Path source(String file) {
        return MODULES.stream()
                .map(module -> folder(module).resolve("src/main/java").resolve(file))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new Edit.DoesNotFit("no module has a source " + file));
    }

    Path folder(String module) {
        return root.resolve(module).toAbsolutePath().normalize();
    }

    /** What the tests of a module run with, without those tests; was written when the module was built for this. */
    List<String> classPathOf(String module) throws IOException {
        Path file = folder(module).resolve("target/test-classpath.txt");
        List<String> entries = new ArrayList<>();
        entries.add(folder(module).resolve("target/classes").toString());
        if (Files.exists(file)) {
            entries.addAll(List.of(Files.readString(file).strip().split(File.pathSeparator)));
        }
        return entries;
    }

    /** What any of these sources compiles with. */
    List<String> classPathFor(Map<String, String> sources) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String module : MODULES) {
            boolean isChanged = sources.keySet().stream()
                    .anyMatch(file ->
                            Files.exists(folder(module).resolve("src/main/java").resolve(file)));
            if (isChanged) {
                entries.addAll(classPathOf(module));
            }
        }
        return entries;
    }

    static String joined(Stream<String> entries) {
        return entries.distinct().collect(Collectors.joining(File.pathSeparator));
    }
}
