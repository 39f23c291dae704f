package outbox.relay.internal.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import outbox.relay.route.Route;

/**
 * Lanes that wait while too many others do already. Four bytes are kept of each, and its rows are ignored when they are
 * fetched, so that no younger event overtakes an older one. The lanes are released together: they are forgotten, and the
 * partition is fetched from its oldest pending event. That happens as soon as one of them may continue or is due.
 */
final class OverflowLanes {

    /** The shortest interval between two releases that only a time caused: each of them reads the whole backlog. */
    private static final long REST_NANOS = Duration.ofSeconds(10).toNanos();

    private final LaneLimits limits;
    private final IntSet ids = new IntSet();
    /** Their rows that were fetched, and will be fetched again: they take up places of a page. */
    private final TreeSet<Long> readAgain = new TreeSet<>();
    /** The routes for whose room some of them wait. */
    private final List<Route> routes = new ArrayList<>();

    private boolean recheckWanted;
    private boolean timed;
    private long dueNanos;
    private boolean resting;
    private long restUntilNanos;

    OverflowLanes(LaneLimits limits) {
        this.limits = limits;
    }

    int size() {
        return ids.size();
    }

    boolean contains(int id) {
        return ids.size() > 0 && ids.contains(id);
    }

    /** Whether a row that was fetched belongs to one of them. */
    boolean isReadAgain(int id, long seq) {
        boolean isOne = contains(id);
        if (isOne && readAgain.size() < limits.eventsMax()) {
            readAgain.add(seq);
        }
        return isOne;
    }

    void add(int id) {
        ids.add(id);
    }

    void remove(int id) {
        ids.remove(id);
    }

    boolean isFull() {
        return ids.size() >= limits.lanesOverflowMax() || hasReadTooMany();
    }

    private boolean hasReadTooMany() {
        return readAgain.size() >= limits.eventsMax();
    }

    void forgetReadTo(long seq) {
        readAgain.headSet(seq, true).clear();
    }

    /** How many of their rows a fetch from here on reads again. */
    int countAbove(long seq) {
        return readAgain.isEmpty() ? 0 : readAgain.tailSet(seq, false).size();
    }

    // ---- when they are released -----------------------------------------------------------------------------------

    /** Some of them wait until the route has room. */
    void awaitRoom(Route route) {
        if (!routes.contains(route)) {
            routes.add(route);
        }
    }

    List<Route> routesAwaited() {
        return routes;
    }

    /** One of them waits until this time. */
    void awaitTime(long untilNanos) {
        dueNanos = timed && dueNanos - untilNanos < 0 ? dueNanos : untilNanos;
        timed = true;
    }

    /** One of them may continue. */
    void recheck() {
        recheckWanted |= ids.size() > 0;
    }

    boolean isDue(long nowNanos) {
        // Rows that are read again and again leave no room for others: perhaps there are fewer by now.
        boolean isTime = hasReadTooMany() || (timed && nowNanos - dueNanos >= 0);
        return recheckWanted || (isTime && !(resting && nowNanos - restUntilNanos < 0));
    }

    /** Forgets them; the partition is then to be fetched from its beginning. */
    void release(long nowNanos) {
        clear();
        resting = true;
        restUntilNanos = nowNanos + REST_NANOS;
    }

    void clear() {
        ids.clear();
        readAgain.clear();
        routes.clear();
        recheckWanted = false;
        timed = false;
    }
}
