package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A small process that outlives this JVM and then ends a server and deletes its folder.
 *
 * <p>It waits on a pipe whose other end only this JVM holds, so it wakes however the JVM ends, {@code kill -9}
 * included. It identifies its server by the working directory of the server's processes, not by process ids. Restarts
 * therefore need no message, and it never signals an unrelated process that has reused an id.
 */
final class Watchdog {

    private final Process process;

    private Watchdog(Process process) {
        this.process = process;
    }

    /**
     * Starts a watchdog over a folder. Its first signal for the folder's processes is the given one, and the last is
     * KILL.
     */
    static Watchdog over(Path folder, String signal) throws IOException {
        return new Watchdog(new ProcessBuilder("sh", "-c", script(), "catbox-watchdog", folder.toString(), signal)
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Ends the watchdog without any effect. */
    void standDown() {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write("stand-down\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException alreadyGone) {
            // A watchdog that was killed needs no message.
        }
    }

    /** Closes the pipe without a message, as the end of this JVM does. */
    void abandon() throws IOException {
        process.getOutputStream().close();
    }

    Process process() {
        return process;
    }

    private static String script() throws IOException {
        try (InputStream in = Watchdog.class.getResourceAsStream("watchdog.sh")) {
            if (in == null) {
                throw new IOException("watchdog.sh is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
