package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.spi.TimeSource;

/**
 * Logs outages in few lines, however often something fails: one line when it begins to fail, one a minute with counts,
 * and one when it works again. Each failure has a line with its stack trace at DEBUG. Any thread.
 */
public final class OutageLog {

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int TRACED_MAX = 10;

    private final Logger log;
    private final TimeSource time;
    private final long quietNanos;

    /** By the name of what fails; guarded by this. */
    private final Map<String, Outage> outages = new HashMap<>();
    /** Whether there is an outage. Written under the lock, and read without it, so that a success costs no lock. */
    private volatile boolean any;

    /** One outage; guarded by the log's lock. */
    private static final class Outage {
        final long sinceNanos;
        long lineNanos;
        long latestNanos;
        long failures;
        /** The classes of failures whose stack trace was logged. */
        final Set<Class<?>> traced = new HashSet<>();

        Outage(long now) {
            this.sinceNanos = now;
            this.lineNanos = now;
        }
    }

    /** For names that fail in one place: the next success ends an outage. */
    public OutageLog(Logger log, TimeSource time) {
        this(log, time, Duration.ZERO);
    }

    /**
     * For names that fail in several places, of which one may work while others still fail.
     *
     * @param quiet the time without a failure after which a success ends an outage
     */
    public OutageLog(Logger log, TimeSource time, Duration quiet) {
        this.log = log;
        this.time = time;
        this.quietNanos = quiet.toNanos();
    }

    /** Logs that something failed and is tried again. */
    public void failed(String what, String error) {
        failed(what, error, null);
    }

    /**
     * Logs that something failed and is tried again. A failure other than an {@link OutboxException} may be a bug, so
     * the first one of its class is logged with its stack trace.
     */
    public void failed(String what, Throwable failure) {
        failed(what, ErrorText.of(failure), failure);
    }

    /** The same, with another description of the failure. */
    public void failed(String what, String error, @Nullable Throwable failure) {
        long now = time.nanoTime();
        boolean begins;
        boolean due;
        boolean traced;
        String lasted;
        long failures;
        synchronized (this) {
            any = true;
            begins = !outages.containsKey(what);
            Outage outage = outages.computeIfAbsent(what, name -> new Outage(now));
            outage.latestNanos = now;
            failures = ++outage.failures;
            lasted = text(now - outage.sinceNanos);
            traced = failure != null
                    && !(failure instanceof OutboxException)
                    && outage.traced.size() < TRACED_MAX
                    && outage.traced.add(failure.getClass());
            due = now - outage.lineNanos >= EVERY.toNanos();
            if (due) {
                outage.lineNanos = now;
            }
        }
        if (traced) {
            log.log(Level.ERROR, what + " failed and is tried again: " + error, failure);
        } else if (begins) {
            log.log(Level.WARNING, what + " failed and is tried again: " + error);
        } else if (due) {
            log.log(Level.WARNING, what + " still fails, for " + lasted + " and " + failures + " times: " + error);
        }
        if (!traced && failure != null && log.isLoggable(Level.DEBUG)) {
            log.log(Level.DEBUG, what + " failed: " + error, failure);
        }
    }

    /** Ends the outage of this name, if it has one that is over. */
    public void works(String what) {
        if (any) {
            endOutages(Set.of(what));
        }
    }

    /** Ends every outage that is over. */
    public void works() {
        if (any) {
            endOutages(null);
        }
    }

    private void endOutages(@Nullable Set<String> only) {
        long now = time.nanoTime();
        Map<String, Outage> over = new TreeMap<>();
        synchronized (this) {
            outages.forEach((what, outage) -> {
                if ((only == null || only.contains(what)) && now - outage.latestNanos >= quietNanos) {
                    over.put(what, outage);
                }
            });
            outages.keySet().removeAll(over.keySet());
            any = !outages.isEmpty();
        }
        over.forEach((what, outage) -> log.log(
                Level.INFO,
                what + " works again, after " + text(end(outage, now) - outage.sinceNanos) + " and " + outage.failures
                        + (outage.failures == 1 ? " failure" : " failures")));
    }

    private long end(Outage outage, long now) {
        return quietNanos == 0 ? now : outage.latestNanos;
    }

    private static String text(long nanos) {
        Duration lasted = Duration.ofNanos(nanos);
        if (lasted.toHours() > 0) {
            return lasted.toHours() + " h " + lasted.toMinutesPart() + " min";
        }
        if (lasted.toMinutes() > 0) {
            return lasted.toMinutes() + " min " + lasted.toSecondsPart() + " s";
        }
        return lasted.toSeconds() > 0 ? lasted.toSeconds() + " s" : lasted.toMillis() + " ms";
    }
}
