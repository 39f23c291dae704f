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

/** MySQL's server, out of Debian's packages: unpacked beside the system with all they depend on, never installed. */
final class MySqlBinaries {

    private static final Logger LOG = System.getLogger(MySqlBinaries.class.getName());

    /** No stable suite of Debian has MySQL, so the version moves; a folder once filled stays as it is. */
    private static final String SUITE = "sid";

    private static final String PACKAGE = "mysql-server-core";
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(10);

    private MySqlBinaries() {}

    /** Whether MySQL can be had. That it cannot is nothing unexpected, hence a value. */
    sealed interface Provision {}

    record Ready(Path root) implements Provision {}

    record Unavailable(String reason) implements Provision {}

    /** Found out once for each JVM: without a network each further try would cost the same long wait. */
    private static final class Once {
        static final Provision PROVISION = provide(Platform.current(), BinaryCache.standard());
    }

    static Provision provided() {
        return Once.PROVISION;
    }

    private static Provision provide(Platform platform, BinaryCache cache) {
        if (!platform.supported()) {
            return new Unavailable(platform.unsupportedReason());
        }
        try {
            return new Ready(cache.folder("mysql-debian-" + SUITE, MySqlBinaries::fetch));
        } catch (DevServerException e) {
            return new Unavailable("MySQL cannot be had here: " + e.getMessage());
        }
    }

    private static void fetch(Path folder) throws IOException {
        Path script = Files.createTempFile("catbox-debian-root-", ".sh");
        Path output = Files.createTempFile("catbox-debian-root-", ".log");
        try (InputStream in = MySqlBinaries.class.getResourceAsStream("debian-root.sh")) {
            if (in == null) {
                throw new IOException("debian-root.sh is not on the class path");
            }
            Files.write(script, in.readAllBytes());
            Process process = new ProcessBuilder(List.of("bash", script.toString(), SUITE, folder.toString(), PACKAGE))
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
            // The script ends with a sentence; what apt said before it is for the log.
            throw new IOException(lines.isEmpty() ? "exit code " + process.exitValue() : lines.getLast());
        }
    }
}
