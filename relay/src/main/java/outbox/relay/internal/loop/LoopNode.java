package outbox.relay.internal.loop;

import java.util.function.LongSupplier;
import outbox.dispatch.StoreClock;

/**
 * What a loop gets from its node.
 *
 * @param waker asks for an iteration
 * @param ended run once the loop has ended
 * @param pauseReadsBegun the number of the latest read of the pauses that was begun
 * @param clock by which events grow old
 */
public record LoopNode(
        Runnable waker, Runnable ended, LongSupplier pauseReadsBegun, SuspectLock suspectLock, StoreClock clock) {}
