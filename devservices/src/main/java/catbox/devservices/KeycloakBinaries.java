package catbox.devservices;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Keycloak, unpacked and built. It needs some of its options at build time, which takes half a minute, so the result is
 * cached.
 */
final class KeycloakBinaries {

    /** Names the archive, which is too large for a class path: the build gets its path from Maven. */
    static final String ARCHIVE_PROPERTY = "catbox.devservices.keycloak";

    private static final Duration BUILD_LIMIT = Duration.ofMinutes(5);

    private KeycloakBinaries() {}

    static Path unpacked(BinaryCache cache) {
        String named = System.getProperty(ARCHIVE_PROPERTY, "");
        Path archive = Path.of(named);
        if (named.isBlank() || !Files.isRegularFile(archive)) {
            throw new DevServerException("No Keycloak: let the system property " + ARCHIVE_PROPERTY
                    + " name the archive of org.keycloak:keycloak-quarkus-dist:tar.gz, was \"" + named + "\"");
        }
        String name = String.valueOf(archive.getFileName()).replace(".tar.gz", "");
        return cache.folder(name + "-built", folder -> {
            try (InputStream in = Files.newInputStream(archive)) {
                unpack(in, folder);
            }
            build(folder);
        });
    }

    // Everything is in one folder of the archive, whose name contains the version.
    private static void unpack(InputStream compressed, Path folder) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new GZIPInputStream(new BufferedInputStream(compressed)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                String name = entry.getName().replaceFirst("^[^/]+/", "");
                PostgresBinaries.unpackEntry(tar, entry, FileTree.below(folder, name));
            }
        }
    }

    private static void build(Path folder) throws IOException {
        List<String> command = program(folder);
        command.addAll(List.of("build", "--db=dev-mem"));
        Path log = folder.resolve("build.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(BUILD_LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("Keycloak cannot be built: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while Keycloak was built", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the command with a separate home that contains its data. */
    static List<String> program(Path home) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dkc.home.dir=" + home,
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "--add-opens=java.base/java.security=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                home.resolve("lib").resolve("quarkus-run.jar").toString(),
                "io.quarkus.bootstrap.runner.QuarkusEntryPoint"));
    }
}
