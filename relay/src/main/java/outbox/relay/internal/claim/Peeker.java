package outbox.relay.internal.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import outbox.relay.internal.model.Pacing;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/**
 * Peeks at all partitions of a node in one statement, and wakes the loops that have something new: the fallback behind every
 * wake-up. Not thread-safe.
 */
public final class Peeker {

    private static final Duration OVERLAP = Duration.ofMinutes(1);
    private static final Duration OVERLAP_EVERY = Duration.ofSeconds(10);

    private final PartitionStore store;
    private final TimeSource time;
    private final Pacing pacing;
    private final Duration pollMax;

    private Instant dueSince = Instant.EPOCH;
    private Set<FetchingLoop> peekedFor = Set.of();
    private long overlappedNanos;
    private long peekedNanos;
    private Duration rest;

    /** @param pollMax the longest rest between two peeks */
    public Peeker(PartitionStore store, TimeSource time, Pacing pacing, Duration pollMax) {
        this.store = store;
        this.time = time;
        this.pacing = pacing;
        this.pollMax = pollMax;
        this.overlappedNanos = time.nanoTime();
        this.peekedNanos = overlappedNanos - pacing.busyPoll().toNanos();
        this.rest = pacing.pollMin();
    }

    /**
     * Wakes the loops that have something new, and names the lanes in which something came due. Returns how long to rest:
     * not long while there is something new and no notification of it.
     *
     * @param commitsNotified whether commits elsewhere are notified, so that a frequent peek is not needed
     */
    public Duration peek(Collection<? extends FetchingLoop> loops, boolean commitsNotified) {
        List<? extends FetchingLoop> working =
                loops.stream().filter(FetchingLoop::isWorking).toList();
        if (working.isEmpty()) {
            peekedFor = Set.of(); // A loop that has ended must not be kept, with all that it had in memory.
            return pollMax;
        }
        long now = time.nanoTime();
        boolean busy = working.stream().allMatch(FetchingLoop::fetchesUnprompted);
        if (busy && now - peekedNanos < pacing.busyPoll().toNanos()) {
            return pacing.pollMin();
        }
        peekedNanos = now;
        ClusterLayout layout = working.getLast().terms();
        if (!layout.strategy().usesPartitions()) {
            loops.forEach(FetchingLoop::wake);
            return rested(false, commitsNotified);
        }
        // A loop remembers the lanes that are due until it has fetched them. While one cannot remember more, the peek
        // does not ask for them.
        boolean remembers = loops.stream().allMatch(FetchingLoop::canRememberLanes);
        PeekResult peeked = store.peek(new PeekRequest(
                layout,
                working.stream().map(FetchingLoop::position).toList(),
                remembers ? dueSinceFor(working) : null));
        if (remembers) {
            peekedFor = Set.copyOf(working);
            dueSince = peeked.dueCutOff() ? peeked.dueUntil() : overlapped(peeked.dueUntil());
        }
        loops.forEach(loop -> wake(loop, peeked));
        if (remembers && peeked.dueCutOff()) {
            return Duration.ZERO;
        }
        Duration usual = rested(!peeked.partitions().isEmpty(), commitsNotified);
        Duration nextDue = peeked.nextDue();
        return nextDue != null && nextDue.compareTo(usual) < 0 ? nextDue : usual;
    }

    // A loop that began during the last peek has not heard of what came due in it, and may have fetched before that. If
    // it
    // began more than the overlap earlier, what came due is found when partitions are read from their beginning.
    private Instant dueSinceFor(List<? extends FetchingLoop> working) {
        boolean begun = !peekedFor.containsAll(working) && dueSince.isAfter(Instant.EPOCH);
        return begun ? dueSince.minus(OVERLAP) : dueSince;
    }

    private static void wake(FetchingLoop loop, PeekResult peeked) {
        if (peeked.partitions().contains(loop.position().partition())) {
            loop.wake();
        }
        List<Integer> due = peeked.lanesDue().stream().filter(loop::owns).toList();
        if (!due.isEmpty()) {
            loop.cameDue(due);
        }
    }

    // A replay makes an old event due now, and may commit much later if it replays many. So from time to time a peek
    // begins a while before the last one ended.
    private Instant overlapped(Instant dueUntil) {
        long now = time.nanoTime();
        if (now - overlappedNanos < OVERLAP_EVERY.toNanos()) {
            return dueUntil;
        }
        overlappedNanos = now;
        return dueUntil.minus(OVERLAP);
    }

    private Duration rested(boolean foundNew, boolean commitsNotified) {
        Duration doubled = rest.multipliedBy(2);
        rest = foundNew ? pacing.pollMin() : doubled.compareTo(pollMax) > 0 ? pollMax : doubled;
        return commitsNotified ? pollMax : rest;
    }
}
