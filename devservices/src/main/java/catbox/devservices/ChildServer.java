package catbox.devservices;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server of any kind: one folder, one port, and a sequence of runs. Subclasses add how clients log in. */
class ChildServer implements DevServer {

    private static final Logger LOG = System.getLogger(ChildServer.class.getName());
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);
    private static final Duration HARD_STOP_LIMIT = Duration.ofSeconds(5);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(300);
    private static final int STARTS_AFTER_CRASH_MAX = 5;

    private final Blueprint blueprint;
    private final ServerFolder folder;

    /** The last run; null before the first one and after an orderly stop. Guarded by this. */
    private @Nullable ServerRun lastRun;

    /** Guarded by this. */
    private boolean closed;

    ChildServer(Blueprint blueprint, ServerFolder folder) {
        this.blueprint = blueprint;
        this.folder = folder;
    }

    /** Creates a folder, prepares its data and starts the server. Nothing remains if one of these steps fails. */
    static <S extends ChildServer> S launch(String name, Signals signals, Function<ServerFolder, S> preparation) {
        ServerFolder folder = ServerFolder.create(name, signals);
        try {
            S server = preparation.apply(folder);
            server.start();
            return server;
        } catch (RuntimeException e) {
            try {
                folder.close();
            } catch (DevServerException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    @Override
    public final int port() {
        return blueprint.port();
    }

    @Override
    public final synchronized void start() {
        if (closed || running() != null) {
            throw new IllegalStateException(this + (closed ? " is closed" : " is running already"));
        }
        // After a crash the kernel may take a moment to release the old server's memory, files and port.
        int startsLeft = lastRun == null ? 1 : STARTS_AFTER_CRASH_MAX;
        Deadline deadline = Deadline.in(START_LIMIT);
        while (!startOnce(deadline)) {
            startsLeft--;
            if (startsLeft == 0 || deadline.passed()) {
                throw new DevServerException(this + " accepts no connections" + folder.withLog());
            }
            LOG.log(Level.WARNING, "{0} did not start after a crash, trying again", this);
            Deadline retry = Deadline.in(RETRY_PAUSE);
            while (!retry.passed()) {
                retry.rest();
            }
        }
    }

    private boolean startOnce(Deadline deadline) {
        ServerRun run = ServerRun.begin(blueprint, folder);
        lastRun = run;
        boolean ready = false;
        try {
            ready = run.awaitReadiness(blueprint, deadline);
            return ready;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DevServerException("Interrupted while starting " + this, e);
        } finally {
            if (!ready) {
                run.kill();
            }
        }
    }

    @Override
    public final synchronized void stop() {
        ServerRun running = running();
        if (running != null) {
            if (!running.end(folder.signals().stop(), STOP_LIMIT)) {
                throw new DevServerException(this + " did not stop within " + STOP_LIMIT + folder.withLog());
            }
            lastRun = null;
        }
    }

    @Override
    public final synchronized void kill() {
        ServerRun running = running();
        if (running != null) {
            running.kill();
        }
    }

    @Override
    public final synchronized void pause() {
        requireRunning().freeze();
    }

    @Override
    public final synchronized void resume() {
        requireRunning().thaw();
    }

    @Override
    public final synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        ServerRun running = running();
        if (running != null && !running.end(folder.signals().hardStop(), HARD_STOP_LIMIT)) {
            running.kill();
        }
        folder.close();
    }

    @Override
    public final String toString() {
        return blueprint.name() + " on port " + port();
    }

    private @Nullable ServerRun running() {
        ServerRun run = lastRun;
        return run != null && run.alive() ? run : null;
    }

    private ServerRun requireRunning() {
        ServerRun running = running();
        if (running == null) {
            throw new IllegalStateException(this + " is not running");
        }
        return running;
    }
}
