package catbox.bench.contender;

import java.time.Duration;

/** A loop that a thread repeats until it is closed. */
public final class LongRunning implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Thread thread;
    private volatile boolean closed; // Written by the closing thread, read by the loop.

    /** One iteration; it may wait, and is interrupted then. */
    public interface Iteration {
        void run() throws Exception;
    }

    public LongRunning(String name, Iteration iteration) {
        thread = Thread.ofPlatform().daemon().name(name).start(() -> repeat(iteration));
    }

    private void repeat(Iteration iteration) {
        try {
            while (!closed) {
                iteration.run();
            }
        } catch (InterruptedException stopped) {
            // An interrupt asks it to end.
        } catch (Exception e) {
            if (!closed) {
                // The log shows it, and the benchmark notices that events are missing.
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            if (!thread.join(PATIENCE)) {
                thread.interrupt();
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
