package outbox.retention;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Stream;
import outbox.internal.SupervisedLoop;
import outbox.spi.RetentionStore;
import outbox.spi.TimeSource;

/** Removes old done events once a day, in chunks. Any number of instances may do so at once. */
public final class RetentionPurger implements AutoCloseable {

    private static final Logger LOG = System.getLogger(RetentionPurger.class.getName());
    private final RetentionStore store;
    private final RetentionConfig config;
    private final TimeSource time;
    private final SupervisedLoop loop;
    private boolean due; // a purge that failed stays due and is tried again soon; only the purging thread touches it
    private volatile boolean closing; // written by the closing thread, read by the purging one

    public RetentionPurger(RetentionStore store, RetentionConfig config) {
        this(store, config, TimeSource.SYSTEM);
    }

    public RetentionPurger(RetentionStore store, RetentionConfig config, TimeSource time) {
        this.store = store;
        this.config = config;
        this.time = time;
        this.loop = new SupervisedLoop("outbox-retention", this::iteration);
    }

    /** Purges from now on at the configured time of day. */
    public void start() {
        loop.start();
    }

    /** The name of its thread if it has ended although this is open; only a new process repairs it. Any thread. */
    public List<String> endedLoops() {
        return SupervisedLoop.ended(Stream.of(loop));
    }

    private boolean iteration() throws InterruptedException {
        if (!due) {
            loop.rest(untilNext());
            due = true;
        }
        if (!closing) {
            purge();
            due = false;
        }
        return !closing;
    }

    /** The time until the next purge. */
    Duration untilNext() {
        ZonedDateTime now = time.instant().atZone(config.zone());
        ZonedDateTime today = now.with(config.dailyAt());
        ZonedDateTime next = today.isAfter(now) ? today : now.plusDays(1).with(config.dailyAt());
        return Duration.between(now, next);
    }

    /** Deletes all events that are old enough, a chunk at a time; returns their number. */
    public long purge() {
        long purged = 0;
        int chunk = config.chunk();
        while (chunk == config.chunk() && !closing) {
            chunk = store.purgeDone(config.keepDone(), config.chunk());
            purged += chunk;
        }
        LOG.log(Level.INFO, "purged {0} event(s) that were done more than {1} ago", purged, config.keepDone());
        return purged;
    }

    @Override
    public void close() {
        closing = true;
        loop.stop();
        loop.awaitEnd();
    }
}
