package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A small process that outlives this JVM and then ends a server and deletes its folder.
 *
 * <p>It sleeps on a pipe whose other end only this JVM holds, so it wakes however the JVM ends, {@code kill -9} included.
 * It knows its server by the folder that all of the server's processes have as their working directory, not by process
 * ids: so restarts need no message, and a process id that was given to a stranger meanwhile is never touched.
 */
final class Watchdog {

    private final Process process;

    private Watchdog(Process process) {
        this.process = process;
    }

    /** Watches over a folder; the first signal for its processes is the given one, and the last is KILL. */
    static Watchdog over(Path folder, String signal) throws IOException {
        return new Watchdog(new ProcessBuilder("sh", "-c", script(), "catbox-watchdog", folder.toString(), signal)
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Sends the watchdog home: it ends without touching anything. */
    void standDown() {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write("stand-down\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException alreadyGone) {
            // A watchdog that somebody killed has nothing left to be told.
        }
    }

    /** Lets go of the pipe without a word, which is what the end of this JVM does. */
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
