package catbox.server.web;

import catbox.server.config.ConfigFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import outbox.internal.SupervisedLoop;

/** Reloads the server's file on SIGHUP, if the platform has it, and when the file has changed, if so configured. */
final class ReloadTriggers implements SmartLifecycle {

    private static final Logger LOG = System.getLogger(ReloadTriggers.class.getName());
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final ConfigFile file;
    private final Reload reload;

    /** Filled by the signal's thread, which belongs to the JVM and must not wait. */
    private final BlockingQueue<String> signals = new ArrayBlockingQueue<>(1);

    private final SupervisedLoop loop;
    private Optional<String> seen; // used by the loop's thread alone, once it runs
    private volatile boolean running;

    ReloadTriggers(ConfigFile file, Reload reload) {
        this.file = file;
        this.reload = reload;
        this.seen = content();
        this.loop = new SupervisedLoop("catbox-reload", this::waitAndReload);
    }

    @Override
    public void start() {
        running = true;
        switch (Signals.listen("HUP", () -> signals.offer("HUP"))) {
            case YES -> {}
            case IGNORED ->
                LOG.log(
                        Level.WARNING,
                        "this process was started with SIGHUP ignored, as nohup does, so that signal does not have the"
                                + " file read again; POST /reload and server.reload-on-change do");
            case ABSENT ->
                LOG.log(
                        Level.INFO,
                        "this platform has no SIGHUP; POST /reload and server.reload-on-change do the same");
        }
        loop.start();
    }

    private boolean waitAndReload() throws InterruptedException {
        boolean signalled = signals.poll(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS) != null;
        if (signalled || hasChanged()) {
            seen = content();
            reload.run();
        }
        return running;
    }

    // Compares contents: an older file may replace a mounted one, and a touched file has not changed.
    private boolean hasChanged() {
        Optional<String> now = file.started().web().reloadOnChange() ? content() : seen;
        return now.isPresent() && !now.equals(seen);
    }

    private Optional<String> content() {
        try {
            return Optional.of(Files.readString(file.path()));
        } catch (IOException e) {
            return Optional.empty(); // The file is being replaced or is missing; the next check tries again.
        }
    }

    @Override
    public void stop() {
        running = false;
        loop.interrupt();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
