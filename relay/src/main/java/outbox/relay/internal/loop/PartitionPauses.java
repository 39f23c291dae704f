package outbox.relay.internal.loop;

import java.util.HashMap;
import java.util.Map;
import outbox.relay.internal.model.Pauses;

/**
 * What of a partition is paused. A read of the pauses that began before a dead event's pause was written does not list its
 * lane; the lane stays paused until a read that began later decides.
 */
final class PartitionPauses {

    private final LoopContext context;
    private Pauses pauses = Pauses.NONE;
    /** The lanes that dead events have paused here, each with the number of the first read that decides about it. */
    private final Map<Integer, Long> pausedHere = new HashMap<>();

    PartitionPauses(LoopContext context) {
        this.context = context;
    }

    boolean isPaused() {
        return pauses.isPartitionPaused(context.partition());
    }

    boolean isRoutePaused(String name) {
        return pauses.isRoutePaused(name);
    }

    void apply(Pauses latest) {
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

    /** A dead event pauses its lane; that is not written yet. */
    void pausesKey(int lane) {
        pausedHere.put(lane, Long.MAX_VALUE);
    }

    /** The pause is written: from the next read on, the lane is listed until it is resumed. */
    void keyPausePersisted(int lane) {
        pausedHere.put(lane, context.node().pauseReadsBegun().getAsLong() + 1);
    }
}
