package outbox.relay.internal.loop;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import outbox.relay.internal.model.Pauses;

/**
 * What of a slot is on hold. Lanes that a dead event has just halted are not listed by a look that was begun before
 * that was written; they stay halted until a look that was begun after it says otherwise.
 */
public final class PartitionPauses {

    private final LoopContext context;
    private final LongSupplier readsBegun;
    private Pauses pauses = Pauses.NONE;
    /** The lanes halted here, each with the number of the first look that can be trusted about it. */
    private final Map<Integer, Long> pausedHere = new HashMap<>();

    public PartitionPauses(LoopContext context, LongSupplier readsBegun) {
        this.context = context;
        this.readsBegun = readsBegun;
    }

    public boolean isPaused() {
        return pauses.isPartitionPaused(context.partition());
    }

    public boolean isRoutePaused(String name) {
        return pauses.isRoutePaused(name);
    }

    public void apply(Pauses latest) {
        Map<Integer, String> lanes = latest.lanes();
        pausedHere.values().removeIf(since -> since <= latest.generation());
        lanes.forEach((lane, reason) -> {
            if (context.claimer().owns(lane) && context.lanes().waiting().pausedBecause(lane) == null) {
                context.lanes().waiting().pause(lane, reason);
            }
        });
        for (int lane : context.lanes().waiting().pausedLanes()) {
            if (!lanes.containsKey(lane) && !pausedHere.containsKey(lane)) {
                context.lanes().waiting().resume(lane);
            }
        }
        pauses = latest;
        context.claimer().wake();
    }

    /** A dead event halts its lane; that is not written yet. */
    public void pausesKey(int lane) {
        pausedHere.put(lane, Long.MAX_VALUE);
    }

    /** It is written now: from the next look on, the lane is listed until somebody resumes it. */
    public void keyPausePersisted(int lane) {
        pausedHere.put(lane, readsBegun.getAsLong() + 1);
    }
}
