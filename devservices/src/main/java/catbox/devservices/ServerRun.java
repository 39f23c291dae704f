package catbox.devservices;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One run of a server, from its start to its end. The server is a direct child of this JVM, so the kernel reports its
 * end at once, and no zombie remains that a restart would mistake for a running server.
 */
final class ServerRun {

    private static final Duration PROBE_PAUSE = Duration.ofMillis(20);

    private final Process process;
    private final ProcessTree tree;

    private ServerRun(Process process) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle());
    }

    static ServerRun begin(Blueprint blueprint, ServerFolder folder) {
        return new ServerRun(folder.spawn(blueprint.command(), blueprint.environment()));
    }

    /** Waits until the server is ready for clients. Returns false if it ends before that, or if the deadline passes. */
    boolean awaitReadiness(Blueprint blueprint, Deadline deadline) throws InterruptedException {
        while (!deadline.passed()) {
            // Waiting for its end is also the pause between two checks, and returns early when it ends.
            if (process.waitFor(PROBE_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
            if (blueprint.ready().getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Signals the server, frozen or not, and waits for its end. Returns false if it does not end in time. */
    boolean end(String signal, Duration limit) {
        tree.thaw();
        tree.signalRoot(signal);
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void kill() {
        tree.kill();
        process.onExit().join();
    }

    void freeze() {
        tree.freeze();
    }

    void thaw() {
        tree.thaw();
    }
}
