package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import outbox.relay.internal.deliver.DestinationGates;
import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.order.WaitingLanes;
import outbox.spi.TimeSource;

/**
 * The lanes of one partition that wait for an address of a destination: a topic that does not exist yet, a queue without
 * permission. When a probe is due, one lane is released to make it; when the address is available again, all of them are.
 * Not thread-safe: the partition's loop is the only caller.
 */
final class AddressPauses {

    /** How many lanes of each address are remembered, besides the one that probes, however many others wait. */
    private static final int PROBERS_MIN = 3;

    private final DestinationGates gates;
    private final WaitingLanes lanes;
    private final TimeSource time;
    /**
     * How long after a lane was released to probe another one is: its event may be gone by now. If it still waits for its
     * destination, which is paused or down, no other is released.
     */
    private final Duration probeWait;

    private final Map<Address, Waiting> addresses = new LinkedHashMap<>();

    private record Address(String destination, String address) {}

    private static final class Waiting {
        /** In the order in which they are released to probe. */
        final Set<Integer> lanes = new LinkedHashSet<>();
        /** When lanes are released in any case, by the monotonic clock; only those whose event is given up at an age. */
        final Map<Integer, Long> untilNanos = new HashMap<>();

        long probedNanos;
        boolean probed;
        /** Whether other lanes wait for it that are not remembered here. */
        boolean skipped;

        int prober; // the lane that was released last, if probed
    }

    AddressPauses(DestinationGates gates, WaitingLanes lanes, TimeSource time, Pacing pacing) {
        this.gates = gates;
        this.lanes = lanes;
        this.time = time;
        this.probeWait = pacing.checkMax().dividedBy(2);
    }

    /** A lane waits for an address from now on, at most as long as its event may. */
    void add(String destination, String address, int lane, Optional<Duration> atMost) {
        long now = time.nanoTime();
        lanes.parkWithoutTime(lane, now);
        Waiting waiting = addresses.computeIfAbsent(new Address(destination, address), place -> new Waiting());
        waiting.lanes.remove(lane); // Behind the others, so that each of them probes in its time.
        if (waiting.lanes.size() >= PROBERS_MIN && lanes.overflowParked(lane, now, atMost)) {
            waiting.skipped = true;
            return;
        }
        waiting.lanes.add(lane);
        atMost.ifPresent(wait -> waiting.untilNanos.put(lane, now + wait.toNanos()));
    }

    /** How long until {@link #release} may release a lane to probe; a long time when none waits. */
    Duration untilProbe() {
        Duration least = Duration.ofHours(1);
        long now = time.nanoTime();
        for (Map.Entry<Address, Waiting> each : addresses.entrySet()) {
            Waiting waiting = each.getValue();
            if (isProberWaiting(each.getKey(), waiting)) {
                continue; // Its destination wakes the loop when it is available.
            }
            Duration untilDue = untilProbe(each.getKey()).orElse(Duration.ZERO);
            Duration untilNext = waiting.probed ? probeWait.minusNanos(now - waiting.probedNanos) : Duration.ZERO;
            Duration until = untilDue.compareTo(untilNext) >= 0 ? untilDue : untilNext;
            least = until.compareTo(least) < 0 ? until : least;
        }
        return least;
    }

    /** The address that most of these lanes wait for, after its destination. */
    Optional<String> mostAwaited() {
        return addresses.entrySet().stream()
                .max(Comparator.comparingInt(each -> each.getValue().lanes.size()))
                .map(each -> each.getKey().destination() + "/" + each.getKey().address());
    }

    /** Releases lanes that may continue: one that probes, or all of an address that is available again. */
    void release() {
        Iterator<Map.Entry<Address, Waiting>> each = addresses.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Address, Waiting> entry = each.next();
            Waiting waiting = entry.getValue();
            Optional<Duration> untilProbe = untilProbe(entry.getKey());
            if (untilProbe.isEmpty()) {
                release(waiting, List.copyOf(waiting.lanes));
                recheckSkipped(waiting);
            } else {
                releaseOverdue(waiting);
                if (untilProbe.get().isZero()) {
                    releaseProbe(entry.getKey(), waiting);
                }
            }
            if (waiting.lanes.isEmpty() && !isProberWaiting(entry.getKey(), waiting)) {
                each.remove();
                recheckSkipped(waiting);
            }
        }
    }

    private void recheckSkipped(Waiting waiting) {
        if (waiting.skipped) {
            waiting.skipped = false;
            lanes.recheckOverflow();
        }
    }

    /** How long until an event may probe; empty when the address is available, or its destination is gone. */
    private Optional<Duration> untilProbe(Address place) {
        return gates.find(place.destination()).flatMap(gate -> gate.addresses().untilProbe(place.address()));
    }

    private void releaseProbe(Address place, Waiting waiting) {
        long now = time.nanoTime();
        if ((waiting.probed && now - waiting.probedNanos < probeWait.toNanos()) || isProberWaiting(place, waiting)) {
            return;
        }
        Iterator<Integer> next = waiting.lanes.iterator();
        if (next.hasNext()) {
            waiting.probed = true;
            waiting.probedNanos = now;
            waiting.prober = next.next();
            release(waiting, List.of(waiting.prober));
        }
    }

    private boolean isProberWaiting(Address place, Waiting waiting) {
        return waiting.probed
                && gates.find(place.destination())
                        .filter(gate -> gate.isPaused() || gate.isDown())
                        .isPresent()
                && lanes.isReadyFor(place.destination(), waiting.prober);
    }

    private void releaseOverdue(Waiting waiting) {
        long now = time.nanoTime();
        List<Integer> overdue = new ArrayList<>();
        waiting.untilNanos.forEach((lane, until) -> {
            if (now - until >= 0) {
                overdue.add(lane);
            }
        });
        release(waiting, overdue);
    }

    private void release(Waiting waiting, List<Integer> some) {
        for (int lane : some) {
            waiting.lanes.remove(lane);
            waiting.untilNanos.remove(lane);
            lanes.unparkLane(lane);
        }
    }
}
