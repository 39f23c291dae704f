package catbox.mutations;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the tests of a class in a process of their own, with mutated classes in front of the class path. */
record TestRun(Checkout checkout, Catcher.Test test) {

    private static final long MINUTES_MAX = 6;

    /** What came of it. */
    record Outcome(Verdict verdict, String detail) {}

    /** Whether the tests passed, failed, or could not be run. */
    enum Verdict {
        PASSED,
        FAILED,
        NOT_RUN
    }

    Outcome run(Compiled changed) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("catbox-mutant-");
        try {
            changed.writeTo(folder.resolve("classes"));
            return run(folder);
        } finally {
            delete(folder);
        }
    }

    private Outcome run(Path folder) throws IOException, InterruptedException {
        Path module = checkout.folder(test.module());
        Path output = folder.resolve("output.txt");
        String classPath = Checkout.joined(Stream.of(
                        Stream.of(
                                folder.resolve("classes").toString(),
                                module.resolve("target/test-classes").toString()),
                        checkout.classPathOf(test.module()).stream(),
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)))
                .flatMap(entries -> entries));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dbasedir=" + module,
                "-cp",
                classPath,
                TestMain.class.getName(),
                test.type()));
        if (!test.method().isEmpty()) {
            command.add(test.method());
        }
        Process process = new ProcessBuilder(command)
                .directory(module.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                return new Outcome(Verdict.FAILED, "did not end within " + MINUTES_MAX + " minutes");
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        return outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    private static Outcome outcome(int exitCode, String output) {
        return switch (exitCode) {
            case TestMain.PASSED -> new Outcome(Verdict.PASSED, "");
            case TestMain.FAILED ->
                new Outcome(
                        Verdict.FAILED,
                        output.lines()
                                .filter(line -> line.startsWith(TestMain.FAILURE))
                                .findFirst()
                                .orElse("")
                                .replace(TestMain.FAILURE, ""));
            default -> {
                List<String> lines = output.lines().toList();
                yield new Outcome(
                        Verdict.NOT_RUN,
                        String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size())));
            }
        };
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
