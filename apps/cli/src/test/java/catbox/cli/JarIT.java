package catbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as people run it, in a process of its own, by itself and through the launcher. */
class JarIT {

    private static final Path JAR = Path.of("target/catbox-cli.jar").toAbsolutePath();
    private static final String JAVA_HOME = System.getProperty("java.home");

    @TempDir
    Path folder;

    /** What a process left. */
    private record Ended(int code, String out) {}

    @Test
    void startsWithoutLoadingWhatItDoesNotNeed() throws Exception {
        Path loaded = folder.resolve("classes");
        Ended version = run(List.of(
                Path.of(JAVA_HOME, "bin", "java").toString(),
                "-Xlog:class+load:file=" + loaded,
                "-jar",
                JAR.toString(),
                "version"));

        assertThat(version.code()).describedAs(version.out()).isZero();
        assertThat(version.out()).startsWith("catbox ").doesNotContain("unpackaged");
        // It is a matter of a quarter of a second, and stays one as long as these stay out.
        assertThat(Files.readString(loaded))
                .contains("picocli.CommandLine")
                .doesNotContain(
                        "tools.jackson.",
                        "com.mongodb.",
                        "org.postgresql.",
                        "org.springframework.",
                        "java.net.http.HttpClient ",
                        "java.util.logging.Logger ");
    }

    @Test
    void theLauncherHandsItEveryCommandOfItsOwn() throws Exception {
        Path launcher = Files.copy(Path.of("../../catbox"), folder.resolve("catbox"));
        Path target = Files.createDirectories(folder.resolve("apps/cli/target"));
        Files.createSymbolicLink(target.resolve("catbox-cli.jar"), JAR);

        assertThat(launched(launcher, "version").out()).startsWith("catbox ");
        Ended help = launched(launcher, "help", "dead", "replay");
        assertThat(help.out()).contains("Usage: catbox dead replay");
        assertThat(help.code()).isZero();
        Ended check = launched(launcher, "schema", "check", "--database", "jdbc:h2:mem:launched");
        assertThat(check.out()).contains("table outbox_meta does not exist. Run \"catbox schema migrate\".");
        assertThat(check.code()).isEqualTo(1);
        Ended wrong = launched(launcher, "stauts");
        assertThat(wrong.out()).contains("catbox status");
        assertThat(wrong.code()).isEqualTo(2);
    }

    private Ended launched(Path launcher, String... arguments) throws IOException, InterruptedException {
        return run(Stream.concat(Stream.of("bash", launcher.toString()), Stream.of(arguments))
                .toList());
    }

    private Ended run(List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("CATBOX_"));
        builder.environment().put("CATBOX_JAVA_HOME", JAVA_HOME);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), Files.readString(out, UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }
}
