package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class WatchdogIT {

    @TempDir
    Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"just-started", "restarted-and-frozen"})
    void endsTheServerAndItsDataWhenItsJvmIsKilled(String mode) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrphaningMain.class.getName(),
                        mode)
                .redirectError(Redirect.INHERIT)
                .start();
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
            int port = Integer.parseInt(output.readLine());
            assertThat(isOpen(port)).isTrue();
            assertThat(isEmpty(temporary)).isFalse();

            jvm.destroyForcibly().waitFor();

            assertThat(within(Duration.ofSeconds(20), () -> !isOpen(port))).isTrue();
            assertThat(within(Duration.ofSeconds(20), () -> isEmpty(temporary))).isTrue();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void touchesNothingAfterItStoodDown() throws Exception {
        Process inhabitant = inhabitant();
        Watchdog watchdog = Watchdog.over(temporary.toRealPath(), "TERM");

        watchdog.standDown();

        assertThat(watchdog.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(inhabitant.isAlive()).isTrue();
        assertThat(temporary).exists();
        inhabitant.destroyForcibly();
    }

    @Test
    void endsOnlyProcessesInItsFolder() throws Exception {
        Path watched = Files.createDirectory(temporary.resolve("a"));
        Path neighbour = Files.createDirectory(temporary.resolve("ab"));
        Process inside = inhabitant(watched);
        Process outside = inhabitant(neighbour);
        Watchdog watchdog = Watchdog.over(watched.toRealPath(), "TERM");

        watchdog.abandon();

        assertThat(inside.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(watchdog.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(outside.isAlive()).isTrue();
        assertThat(watched).doesNotExist();
        assertThat(neighbour).exists();
        outside.destroyForcibly();
    }

    @Test
    void deletesTheDataWhenAServerIsClosed() throws Exception {
        ServerFolder folder = ServerFolder.create("empty", DatabaseEngine.MYSQL.signals());
        Path data = folder.data();
        assertThat(data).exists();

        folder.close();

        assertThat(data.getParent()).doesNotExist();
    }

    private Process inhabitant() throws IOException {
        return inhabitant(temporary);
    }

    private static Process inhabitant(Path folder) throws IOException {
        return new ProcessBuilder("sleep", "60").directory(folder.toFile()).start();
    }

    private static boolean within(Duration limit, BooleanSupplier condition) {
        Deadline deadline = Deadline.in(limit);
        while (!condition.getAsBoolean()) {
            if (deadline.passed()) {
                return false;
            }
            deadline.rest();
        }
        return true;
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(FreePort.loopback(), port), 1_000);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private static boolean isEmpty(Path folder) {
        try (var files = Files.list(folder)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
