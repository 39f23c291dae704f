package outbox.relay.internal.loop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The one suspect that a node tries at a time, whichever slot it is of: of two at once, the innocent one would be counted
 * with the other.
 */
public final class Trial {

    // Guarded by this.
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private boolean begun;

    /** Begins if no other is on; the waker is run once it may be asked for again. */
    synchronized boolean begin(Runnable waker) {
        if (begun) {
            waiting.add(waker);
            return false;
        }
        begun = true;
        return true;
    }

    void end() {
        List<Runnable> wakers;
        synchronized (this) {
            begun = false;
            wakers = List.copyOf(waiting);
            waiting.clear();
        }
        wakers.forEach(Runnable::run);
    }
}
