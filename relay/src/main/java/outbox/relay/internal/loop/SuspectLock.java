package outbox.relay.internal.loop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The one suspect that a node tries at a time, whichever slot it is of: of two at once, the innocent one would be counted
 * with the other.
 */
public final class SuspectLock {

    // Guarded by this.
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private boolean held;

    /** Begins if no other is on; the waker is run once it may be asked for again. */
    synchronized boolean tryLock(Runnable waker) {
        if (held) {
            waiting.add(waker);
            return false;
        }
        held = true;
        return true;
    }

    void unlock() {
        List<Runnable> wakers;
        synchronized (this) {
            held = false;
            wakers = List.copyOf(waiting);
            waiting.clear();
        }
        wakers.forEach(Runnable::run);
    }
}
