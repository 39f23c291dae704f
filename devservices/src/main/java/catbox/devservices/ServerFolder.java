package catbox.devservices;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The temporary folder of one server: its data, its temporary files and its log. Every process of the server runs in
 * this folder, by which the watchdog identifies it.
 */
final class ServerFolder implements AutoCloseable {

    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final int LOG_TAIL_BYTES = 4_000;

    private final Path root;
    private final Signals signals;
    private final Watchdog watchdog;

    private ServerFolder(Path root, Signals signals, Watchdog watchdog) {
        this.root = root;
        this.signals = signals;
        this.watchdog = watchdog;
    }

    static ServerFolder create(String name, Signals signals) {
        try {
            // The kernel reports working directories without links, so the watchdog needs such a path.
            Path root = Files.createTempDirectory("catbox-" + name + "-").toRealPath();
            ServerFolder folder = new ServerFolder(root, signals, Watchdog.over(root, signals.hardStop()));
            Files.createDirectory(folder.data());
            Files.createDirectory(folder.temporary());
            return folder;
        } catch (IOException e) {
            throw new DevServerException("Cannot make a temporary folder for " + name, e);
        }
    }

    /** Returns the signals that end the processes in this folder. */
    Signals signals() {
        return signals;
    }

    Path root() {
        return root;
    }

    Path data() {
        return root.resolve("data");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    /** Returns a short path, because a socket's path is limited to about 100 characters. */
    Path socket() {
        return root.resolve("s");
    }

    Path write(String name, String content) {
        try {
            return Files.writeString(root.resolve(name), content);
        } catch (IOException e) {
            throw new DevServerException("Cannot write " + name + " in " + root, e);
        }
    }

    /**
     * Starts a process in a separate session. A Ctrl-C in the terminal only reaches this JVM, which then ends its
     * servers in order.
     */
    Process spawn(List<String> command, Map<String, String> environment) {
        List<String> apart = new ArrayList<>(List.of("setsid"));
        apart.addAll(command);
        return spawn(apart, NO_INPUT, environment);
    }

    /** Runs a command that prepares the data, and returns when it has succeeded. */
    void run(List<String> command, Path input, Duration limit) {
        Process process = spawn(command, input, Map.of());
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new DevServerException(command.getFirst() + " took longer than " + limit + withLog());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DevServerException("Interrupted while waiting for " + command.getFirst(), e);
        } finally {
            new ProcessTree(process.toHandle()).kill();
        }
        if (process.exitValue() != 0) {
            throw new DevServerException(command + " failed with " + process.exitValue() + withLog());
        }
    }

    void run(List<String> command, Duration limit) {
        run(command, NO_INPUT, limit);
    }

    /** Returns the end of the log, to be appended to an error message. */
    String withLog() {
        try (RandomAccessFile file = new RandomAccessFile(log().toFile(), "r")) {
            byte[] tail = new byte[(int) Math.min(file.length(), LOG_TAIL_BYTES)];
            file.seek(file.length() - tail.length);
            file.readFully(tail);
            return "; the log ends with:\n" + new String(tail, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "; its log cannot be read: " + e.getMessage();
        }
    }

    /** Deletes the folder. Called when nothing runs in it any more. */
    @Override
    public void close() {
        try {
            FileTree.delete(root);
            watchdog.standDown();
        } catch (IOException e) {
            // The watchdog stays: it deletes the folder when this JVM ends.
            throw new DevServerException("Cannot delete " + root, e);
        }
    }

    private Path log() {
        return root.resolve("server.log");
    }

    private Process spawn(List<String> command, Path input, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        // Variables of this account for its own clients and servers (PGDATA, PGPORT, …) or languages must not apply
        // here.
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("MYSQL"));
        builder.environment().put("LC_ALL", "C");
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new DevServerException("Cannot run " + command.getFirst(), e);
        }
    }
}
