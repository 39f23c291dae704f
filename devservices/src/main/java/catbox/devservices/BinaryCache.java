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
 * Caches unpacked server binaries between runs, one folder for each name and version.
 *
 * <p>A folder that exists is complete, because it is filled under another name and then renamed. A lock file makes a
 * second JVM wait instead of unpacking the same binaries again. The holder of the lock may delete what a killed JVM
 * left half unpacked.
 */
record BinaryCache(Path root) {

    private static final Logger LOG = System.getLogger(BinaryCache.class.getName());

    /** Fills an empty folder with a server's files. */
    interface Unpacker {
        void unpackInto(Path folder) throws IOException;
    }

    /** Returns the cache of this account, or the one that the property or the environment names. */
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

    /** Returns the folder of these binaries. The unpacker fills it if it does not exist yet. */
    Path folder(String nameAndVersion, Unpacker unpacker) {
        Path folder = root.resolve(nameAndVersion);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        // The whole JVM holds a file lock, so its threads need a lock among themselves.
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
