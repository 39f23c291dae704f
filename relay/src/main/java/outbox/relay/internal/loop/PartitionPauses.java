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

    private final LoopContext parts;
    private final LongSupplier looksBegun;
    private Pauses holds = Pauses.NONE;
    /** The lanes halted here, each with the number of the first look that can be trusted about it. */
    private final Map<Integer, Long> haltedHere = new HashMap<>();

    public PartitionPauses(LoopContext parts, LongSupplier looksBegun) {
        this.parts = parts;
        this.looksBegun = looksBegun;
    }

    public boolean holdsSlot() {
        return holds.holdsSlot(parts.slot());
    }

    public boolean holdsRoute(String name) {
        return holds.holdsRoute(name);
    }

    public void apply(Pauses latest) {
        Map<Integer, String> lanes = latest.lanes();
        haltedHere.values().removeIf(since -> since <= latest.generation());
        lanes.forEach((lane, reason) -> {
            if (parts.intake().owns(lane) && parts.lanes().waiting().heldFor(lane) == null) {
                parts.lanes().waiting().hold(lane, reason);
            }
        });
        for (int lane : parts.lanes().waiting().heldLanes()) {
            if (!lanes.containsKey(lane) && !haltedHere.containsKey(lane)) {
                parts.lanes().waiting().resume(lane);
            }
        }
        holds = latest;
        parts.intake().wake();
    }

    /** A dead event halts its lane; that is not written yet. */
    public void halts(int lane) {
        haltedHere.put(lane, Long.MAX_VALUE);
    }

    /** It is written now: from the next look on, the lane is listed until somebody resumes it. */
    public void haltWritten(int lane) {
        haltedHere.put(lane, looksBegun.getAsLong() + 1);
    }
}
