package outbox.relay.internal.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.relay.internal.node.OwnedPartitions;
import outbox.relay.internal.node.OwnedPartitions.Running;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/**
 * One look at all slots of a node, in one statement: the fallback behind every wake-up, and how delayed events are
 * found when they come due. Often while there is something new and nobody tells; seldom otherwise.
 */
public final class SlotPoll {

    private static final Duration POLL_MIN = Duration.ofMillis(10);
    /** How long nothing is asked while every slot looks by itself; delayed events come due meanwhile. */
    private static final Duration BUSY_REST = Duration.ofMillis(100);

    private static final Duration OVERLAP = Duration.ofMinutes(1);
    private static final Duration OVERLAP_EVERY = Duration.ofSeconds(10);

    private final PartitionStore store;
    private final OwnedPartitions running;
    private final TimeSource time;
    private final Duration restMax;

    // Only the poll touches these.
    private Instant dueSince = Instant.EPOCH;
    private long overlappedNanos;
    private long askedNanos;
    private Duration rest = POLL_MIN;

    public SlotPoll(PartitionStore store, OwnedPartitions running, TimeSource time, Duration restMax) {
        this.store = store;
        this.running = running;
        this.time = time;
        this.restMax = restMax;
        this.overlappedNanos = time.nanoTime();
        this.askedNanos = overlappedNanos - BUSY_REST.toNanos();
    }

    /**
     * One look; returns how long to rest.
     *
     * @param toldOfCommits whether commits elsewhere are told of, so that looking often is not needed
     */
    public Duration runOnce(boolean toldOfCommits) {
        List<PeekRequest.Position> positions = new ArrayList<>();
        ClusterLayout terms = null;
        boolean busy = true;
        for (Running each : running.all()) {
            if (each.loop().isWorking()) {
                positions.add(each.loop().position());
                terms = each.terms();
                busy &= each.loop().looksAnyway();
            }
        }
        if (terms == null) {
            return restMax;
        }
        long now = time.nanoTime();
        if (busy && now - askedNanos < BUSY_REST.toNanos()) {
            return POLL_MIN;
        }
        askedNanos = now;
        if (!terms.strategy().hasSlots()) {
            running.all().forEach(each -> each.loop().wake());
            return rested(false, toldOfCommits);
        }
        // Lanes in which something came due are remembered until they are read. While a slot cannot remember more, the
        // question is put off.
        boolean remembers = running.all().stream().allMatch(each -> each.loop().canRememberLanes());
        PeekResult polled = store.poll(new PeekRequest(terms, positions, remembers ? dueSince : null));
        if (remembers) {
            dueSince = polled.dueCutOff() ? polled.dueUntil() : overlapped(polled.dueUntil());
        }
        wake(polled, terms);
        if (remembers && polled.dueCutOff()) {
            return Duration.ZERO;
        }
        Duration usual = rested(!polled.slots().isEmpty(), toldOfCommits);
        Duration nextDue = polled.nextDue();
        return nextDue != null && nextDue.compareTo(usual) < 0 ? nextDue : usual;
    }

    private void wake(PeekResult polled, ClusterLayout terms) {
        for (int slot : polled.slots()) {
            Running each = running.find(slot);
            if (each != null) {
                each.loop().wake();
            }
        }
        Map<Integer, List<Integer>> due = new HashMap<>();
        for (int lane : polled.lanesDue()) {
            due.computeIfAbsent(terms.slotOf(lane), slot -> new ArrayList<>()).add(lane);
        }
        due.forEach((slot, lanes) -> {
            Running each = running.find(slot);
            if (each != null) {
                each.loop().cameDue(lanes);
            }
        });
    }

    // A replay gives an old event a due time of now, and may commit much later: its transaction is long if it replays
    // many. So every now and then the look begins a while before the last one ended.
    private Instant overlapped(Instant dueUntil) {
        long now = time.nanoTime();
        if (now - overlappedNanos < OVERLAP_EVERY.toNanos()) {
            return dueUntil;
        }
        overlappedNanos = now;
        return dueUntil.minus(OVERLAP);
    }

    private Duration rested(boolean news, boolean toldOfCommits) {
        Duration doubled = rest.multipliedBy(2);
        rest = news ? POLL_MIN : doubled.compareTo(restMax) > 0 ? restMax : doubled;
        return toldOfCommits ? restMax : rest;
    }
}
