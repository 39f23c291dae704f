package catbox.devservices;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Properties;

/**
 * Keeps unpacked server binaries between runs, one folder for each name and version.
 *
 * <p>A folder that exists is complete: it is filled under another name and then renamed. A lock file makes a second JVM
 * wait instead of unpacking the same again; whoever holds it may clear away what a killed JVM left half unpacked.
 */
record BinaryCache(Path root) {

    private static final Logger LOG = System.getLogger(BinaryCache.class.getName());

    /** Fills an empty folder with a server's files. */
    interface Unpacker {
        void unpackInto(Path folder) throws IOException;
    }

    /** The cache of this account, or where the property or the environment says it is. */
    static BinaryCache standard() {
        return new BinaryCache(location(System.getProperties(), System.getenv()));
    }

    static Path location(Properties properties, Map<String, String> environment) {
        String property = properties.getProperty("catbox.devservices.cache", "");
        String chosen = property.isBlank() ? environment.getOrDefault("CATBOX_DEVSERVICES_CACHE", "") : property;
        Path folder = chosen.isBlank()
                ? Path.of(properties.getProperty("user.home", "."), ".cache", "catbox", "devservices")
                : Path.of(chosen);
        return folder.toAbsolutePath().normalize();
    }

    /** The folder of these binaries, filled by the unpacker if they are not there yet. */
    Path folder(String nameAndVersion, Unpacker unpacker) {
        Path folder = root.resolve(nameAndVersion);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        // A file lock is held by the whole JVM, so threads of this one need a lock among themselves.
        synchronized (BinaryCache.class) {
            try {
                Files.createDirectories(root);
                unpackUnderLock(folder, unpacker);
                return folder;
            } catch (IOException e) {
                throw new DevServerException(
                        "Cannot unpack " + nameAndVersion + ": " + e.getMessage() + " (the cache is " + root
                                + "; -Dcatbox.devservices.cache or CATBOX_DEVSERVICES_CACHE moves it)",
                        e);
            }
        }
    }

    private void unpackUnderLock(Path folder, Unpacker unpacker) throws IOException {
        Path lockFile = root.resolve(folder.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Closing the channel releases the lock, and so does the end of the JVM.
            channel.lock();
            if (Files.isDirectory(folder)) {
                return;
            }
            String unfinished = "." + folder.getFileName() + "-";
            deleteLeftovers(unfinished);
            LOG.log(Level.INFO, "Unpacking {0} into {1}, once for all later runs", folder.getFileName(), root);
            Path filling = Files.createTempDirectory(root, unfinished);
            try {
                unpacker.unpackInto(filling);
                Files.move(filling, folder, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                FileTree.delete(filling);
            }
        }
    }

    private void deleteLeftovers(String prefix) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(root, prefix + "*")) {
            for (Path leftover : leftovers) {
                FileTree.delete(leftover);
            }
        }
    }
}
