package outbox.relay.internal.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import outbox.relay.route.Route;

/**
 * Lanes that wait while too many others do already. Four bytes are kept of each: as long as it is here the scan ignores its
 * rows, so that no younger event of it overtakes an older one. They come back all together: they are forgotten, and the slot
 * is read from its oldest pending event. That happens as soon as one of them may go on, or has a time that has come.
 */
final class OverflowLanes {

    /** How often they come back at most for nothing but a time: the whole backlog is read for that. */
    private static final long REST_NANOS = Duration.ofSeconds(10).toNanos();

    private final LaneLimits limits;
    private final IntSet ids = new IntSet();
    /** Rows of theirs that the scan has met, and will meet again: they take places of a look. */
    private final TreeSet<Long> readAgain = new TreeSet<>();
    /** What some of them waited for room of. */
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

    /** Whether a row is of one of them, and has been met once more. */
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

    /** How many of their rows a scan from here on meets again. */
    int countAbove(long seq) {
        return readAgain.isEmpty() ? 0 : readAgain.tailSet(seq, false).size();
    }

    // ---- when they come back -------------------------------------------------------------------------------------

    /** Some of them wait until the route has room. */
    void awaitRoom(Route route) {
        if (!routes.contains(route)) {
            routes.add(route);
        }
    }

    List<Route> routesAwaited() {
        return routes;
    }

    /** One of them has a time of its own. */
    void awaitTime(long untilNanos) {
        dueNanos = timed && dueNanos - untilNanos < 0 ? dueNanos : untilNanos;
        timed = true;
    }

    /** One of them may go on. */
    void recheck() {
        recheckWanted |= ids.size() > 0;
    }

    boolean isDue(long nowNanos) {
        // Rows of theirs that are read again and again leave no room for others: perhaps there are fewer by now.
        boolean isTime = hasReadTooMany() || (timed && nowNanos - dueNanos >= 0);
        return recheckWanted || (isTime && !(resting && nowNanos - restUntilNanos < 0));
    }

    /** They come back now. */
    void bringBack(long nowNanos) {
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
