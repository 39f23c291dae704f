package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher starts, with a Java that only prints what it was called with, and a jar that is there already. */
class LauncherTest {

    @TempDir
    Path folder;

    @Test
    void endsAServerThatHasRunOutOfMemory() throws Exception {
        Path launcher =
                Files.copy(root().resolve("catbox"), folder.resolve("catbox"), StandardCopyOption.COPY_ATTRIBUTES);
        write("apps/server/target/catbox-server.jar", "");
        write("jdk/release", "JAVA_VERSION=\"25\"\n");
        Path java = write("jdk/bin/java", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();

        ProcessBuilder server = new ProcessBuilder("bash", launcher.toString(), "server", "--config", "some.yaml");
        server.environment().put("CATBOX_JAVA_HOME", folder.resolve("jdk").toString());
        Process process = server.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).describedAs(printed).isZero();
        assertThat(printed.lines())
                .contains("-XX:+ExitOnOutOfMemoryError")
                .endsWith(
                        "-jar",
                        folder.resolve("apps/server/target/catbox-server.jar")
                                .toRealPath()
                                .toString(),
                        "--config",
                        "some.yaml");
    }

    private Path write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("catbox"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
