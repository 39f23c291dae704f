package outbox.relay.internal.order;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import outbox.relay.route.Route;

/**
 * The pending events of one key, as far as they are in memory.
 *
 * <pre>
 *             accepted            taken               reported
 *   (absent) ─────────► waiting ─────────► under way ─────────► waiting, or absent when it is empty
 *                         ▲                     │ failed
 *                         │ looked up again     ▼ settled
 *                         └────────────────── parked (nothing of it in memory; its rows are passed)
 * </pre>
 *
 * <p>A lane is <i>passed</i> when rows of it were left in the table: from then on the scan leaves it out, and it is
 * read by a look-up of its own once nothing of it is in memory.
 */
final class Lane {

    final int id;
    /** Oldest first. */
    final ArrayDeque<LaneEvent> waiting = new ArrayDeque<>();

    /** Events handed to a destination and not reported yet. */
    int inFlight;
    /** Events reported and not settled yet. */
    int unsettled;
    /** Rows of it were left in the table. */
    boolean skipped;
    /** Failures reported and not settled yet: nothing more is delivered before they are, and their time has come. */
    int failures;
    /** The way of the last event of it that was read. */
    @Nullable
    Route route;
    /** Why nothing of it is delivered until somebody resumes it; null when nobody has stopped it. */
    @Nullable
    String pausedBecause;
    /** Waits for its retry until this reading of the monotonic clock; meaningful only while {@link #parked}. */
    long parkedUntilNanos;

    boolean parked;
    /** Whether it is parked because its oldest event has no route. */
    boolean waitsForRoute;
    /**
     * Whether some of its events left memory while others were under way. What comes back of those leaves memory too:
     * it may be younger, and must not overtake them.
     */
    boolean rereads;
    /** How many events are to go one by one, because a call with several of them failed. */
    int oneByOne;
    /** How many of its events went in its last call. */
    int lastCall;
    /** The route in whose queue it is, to be picked; null when it is in none. */
    @Nullable
    Route queuedFor;
    /** Whether it is in the queue of lanes to be looked up. */
    boolean fetchQueued;

    Lane(int id) {
        this.id = id;
    }

    boolean isReady() {
        return inFlight == 0 && failures == 0 && !parked && pausedBecause == null && !waiting.isEmpty();
    }

    /** Whether its oldest waiting event may join a call of that route, which has already taken so many of its events. */
    boolean mayGiveTo(Route callRoute, int taken) {
        return inFlight == taken
                && failures == 0
                && !parked
                && pausedBecause == null
                && !waiting.isEmpty()
                && isSame(waiting.getFirst().route(), callRoute);
    }

    // Nearly always the very same object, and comparing all parts of two takes long.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Route one, Route other) {
        return one == other || one.equals(other);
    }

    /** Nothing of it is in memory, rows of it are in the table, and nothing keeps it from being delivered. */
    boolean needsFetch() {
        return skipped && isEmpty() && failures == 0 && !parked && pausedBecause == null;
    }

    /** Whether it goes on only when what was reported of it is settled. */
    boolean waitsForSettling() {
        return skipped || failures > 0;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && inFlight == 0 && unsettled == 0;
    }

    boolean isForgettable() {
        return isEmpty() && !skipped && failures == 0 && !parked && pausedBecause == null;
    }

    /** Keeps the order of insertion: a row that was committed late goes before those that wait. */
    void add(LaneEvent event) {
        LaneEvent last = waiting.peekLast();
        if (last == null || last.seq() < event.seq()) {
            waiting.addLast(event);
            return;
        }
        ArrayDeque<LaneEvent> younger = new ArrayDeque<>();
        Iterator<LaneEvent> fromLast = waiting.descendingIterator();
        while (fromLast.hasNext()) {
            LaneEvent candidate = fromLast.next();
            if (candidate.seq() < event.seq()) {
                break;
            }
            younger.addFirst(candidate);
            fromLast.remove();
        }
        waiting.addLast(event);
        waiting.addAll(younger);
    }
}
