package outbox.relay.internal.loop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Lets a node try one suspect at a time, of whichever partition: if two were tried at once, the innocent one would be
 * counted with the other.
 */
public final class SuspectLock {

    // Guarded by this.
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private boolean held;

    /** Takes the lock if it is free; otherwise the waker is run when it is free. */
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
