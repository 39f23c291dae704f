package catbox.server.web;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import outbox.spi.TimeSource;

/**
 * Reports whether the threads of the relays are alive. A thread that has ended is never replaced, so only a new process
 * helps. Liveness fails after a delay, which leaves time to see the reason in readiness and in the log.
 */
final class ThreadHealth implements HealthIndicator {

    static final Duration DELAY = Duration.ofSeconds(60);

    private final Supplier<List<String>> ended;
    private final TimeSource time;
    private boolean broken; // guarded by this
    private long brokenSinceNanos; // guarded by this

    /** Takes a supplier of the threads that have ended although their relays are open. */
    ThreadHealth(Supplier<List<String>> ended, TimeSource time) {
        this.ended = ended;
        this.time = time;
    }

    @Override
    public synchronized Health health() {
        List<String> names = ended.get();
        if (names.isEmpty()) {
            broken = false;
            return Health.up().build();
        }
        if (!broken) {
            broken = true;
            brokenSinceNanos = time.nanoTime();
        }
        Duration since = Duration.ofNanos(time.nanoTime() - brokenSinceNanos);
        Health.Builder health = since.compareTo(DELAY) < 0 ? Health.up() : Health.down();
        return health.withDetail("ended", names)
                .withDetail("forSeconds", since.toSeconds())
                .build();
    }
}
