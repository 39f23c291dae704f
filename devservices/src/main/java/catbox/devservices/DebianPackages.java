package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A package of a Debian suite. It can be unpacked with everything that it depends on, and is never installed. It needs
 * Debian's package tools and a network.
 */
record DebianPackages(String suite, String name) {

    private static final Logger LOG = System.getLogger(DebianPackages.class.getName());
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(10);

    void unpackInto(Path folder) throws IOException {
        Path script = Files.createTempFile("catbox-debian-root-", ".sh");
        Path output = Files.createTempFile("catbox-debian-root-", ".log");
        try (InputStream in = DebianPackages.class.getResourceAsStream("debian-root.sh")) {
            if (in == null) {
                throw new IOException("debian-root.sh is not on the class path");
            }
            Files.write(script, in.readAllBytes());
            Process process = new ProcessBuilder(List.of("bash", script.toString(), suite, folder.toString(), name))
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            awaitSuccess(process, output);
        } finally {
            Files.delete(script);
            Files.delete(output);
        }
    }

    private static void awaitSuccess(Process process, Path output) throws IOException {
        try {
            if (!process.waitFor(FETCH_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("fetching Debian's packages took longer than " + FETCH_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while fetching Debian's packages", e);
        } finally {
            new ProcessTree(process.toHandle()).kill();
        }
        if (process.exitValue() != 0) {
            List<String> lines = Files.readAllLines(output);
            LOG.log(Level.WARNING, "Debian''s packages cannot be fetched:\n{0}", String.join("\n", lines));
            // The script ends with a sentence; the earlier output of apt goes to the log.
            throw new IOException(lines.isEmpty() ? "exit code " + process.exitValue() : lines.getLast());
        }
    }
}
