package outbox.relay.internal.order;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import outbox.relay.route.Route;

/**
 * The pending events of one key that are in memory.
 *
 * <pre>
 *             accepted            taken               answered
 *   (absent) ─────────► waiting ─────────► in flight ─────────► waiting, or absent when it is empty
 *                         ▲                     │ failed
 *                         │ fetched again       ▼ settled
 *                         └────────────────── parked (nothing of it in memory; its rows are skipped)
 * </pre>
 *
 * <p>A lane is <i>skipped</i> when rows of it were left in the table: from then on fetches of the partition leave it out,
 * and it is fetched separately once nothing of it is in memory.
 */
final class Lane {

    final int id;
    /** Oldest first. */
    final ArrayDeque<LaneEvent> waiting = new ArrayDeque<>();

    /** Events handed to a destination and not answered yet. */
    int inFlight;
    /** Events answered and not settled yet. */
    int unsettled;
    /** Rows of it were left in the table. */
    boolean skipped;
    /** Failures that are not settled yet: nothing more is delivered before they are, and their retry is due. */
    int failures;
    /** The route of the last event of it that was fetched. */
    @Nullable
    Route route;
    /** Why it is paused; null when it is not. */
    @Nullable
    String pausedBecause;
    /** It waits until this reading of the monotonic clock; meaningful only while {@link #parked}. */
    long parkedUntilNanos;

    boolean parked;
    /** Whether it is parked because its oldest event has no route. */
    boolean waitsForRoute;
    /**
     * Whether some of its events left memory while others were in flight. If one of those is put back, it leaves memory too:
     * it may be younger, and must not overtake them.
     */
    boolean rereads;
    /** How many events are to be delivered one by one, because a call with several of them failed. */
    int oneByOne;
    /** How many of its events were in its last call. */
    int lastCall;
    /** The route in whose queue it is; null when it is in none. */
    @Nullable
    Route queuedFor;
    /** Whether it is in the queue of lanes to be fetched. */
    boolean fetchQueued;

    Lane(int id) {
        this.id = id;
    }

    boolean isReady() {
        return inFlight == 0 && failures == 0 && !parked && pausedBecause == null && !waiting.isEmpty();
    }

    /** Whether its oldest waiting event may join a call of that route, which has taken this number of its events already. */
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

    /** Whether nothing of it is in memory, rows of it are in the table, and it may be delivered. */
    boolean needsFetch() {
        return skipped && isEmpty() && failures == 0 && !parked && pausedBecause == null;
    }

    /** Whether it continues only when its answers are settled. */
    boolean waitsForSettling() {
        return skipped || failures > 0;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && inFlight == 0 && unsettled == 0;
    }

    boolean isForgettable() {
        return isEmpty() && !skipped && failures == 0 && !parked && pausedBecause == null;
    }

    /** Keeps the order of insertion: a row that was committed late comes before those that wait. */
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
