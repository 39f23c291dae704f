package outbox.testkit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.TimeSource;

/**
 * Hands deliveries over as a relay does, on the thread of the test: within the destination's traits, those of one key in
 * order and never more of them before the former are reported. A key whose delivery fails is halted.
 */
final class TransportDrive {

    private final Destination destination;
    private final DestinationTraits traits;
    private Runnable interruption = () -> {};
    private int interruptedAfter = Integer.MAX_VALUE;
    private final Semaphore reports = new Semaphore(0);

    // All guarded by this: the destination reports on threads of its own.
    private final Map<String, Deque<Delivery>> waiting = new LinkedHashMap<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
    private final Set<String> begun = new HashSet<>();
    private final List<String> faults = new ArrayList<>();
    private int delivered;
    private Duration longestCall = Duration.ZERO;

    TransportDrive(Destination destination, DestinationTraits traits, List<Delivery> deliveries) {
        this.destination = destination;
        this.traits = traits;
        deliveries.forEach(delivery -> waiting.computeIfAbsent(lane(delivery), key -> new ArrayDeque<>())
                .add(delivery));
    }

    /** Does something once, right after a call, when so many are delivered. */
    TransportDrive interruptedAfter(int deliveredEvents, Runnable action) {
        interruptedAfter = deliveredEvents;
        interruption = action;
        return this;
    }

    /** Runs until everything that was begun is reported and nothing more may begin. */
    TransportDrive run(Duration atMost) {
        long start = TimeSource.SYSTEM.nanoTime();
        boolean more = true;
        while (more) {
            List<Delivery> call = nextCall();
            if (!call.isEmpty()) {
                hand(call);
            }
            if (deliveredCount() >= interruptedAfter) {
                interruptedAfter = Integer.MAX_VALUE;
                interruption.run();
                start = TimeSource.SYSTEM.nanoTime(); // What was done may have taken its time.
            }
            more = !call.isEmpty() || awaitReports(start + atMost.toNanos(), atMost);
        }
        return this;
    }

    private void hand(List<Delivery> call) {
        long start = TimeSource.SYSTEM.nanoTime();
        destination.deliver(call, (index, outcome) -> reported(call, index, outcome));
        Duration took = Duration.ofNanos(TimeSource.SYSTEM.nanoTime() - start);
        synchronized (this) {
            longestCall = took.compareTo(longestCall) > 0 ? took : longestCall;
        }
    }

    private synchronized List<Delivery> nextCall() {
        List<Delivery> call = new ArrayList<>();
        int keys = 0;
        int room = traits.eventsInFlightMax()
                - inFlight.values().stream().mapToInt(each -> each).sum();
        for (Map.Entry<String, Deque<Delivery>> lane : waiting.entrySet()) {
            if (keys == traits.keysPerCallMax() || inFlight.size() == traits.keysInFlightMax()) {
                break;
            }
            if (!lane.getValue().isEmpty() && !inFlight.containsKey(lane.getKey())) {
                int count = Math.min(
                        Math.min(traits.eventsPerKeyMax(), room),
                        lane.getValue().size());
                for (int n = 0; n < count; n++) {
                    call.add(lane.getValue().remove());
                }
                if (count > 0) {
                    inFlight.put(lane.getKey(), count);
                    keys++;
                    room -= count;
                }
            }
        }
        call.forEach(delivery -> begun.add(delivery.event().eventId()));
        return call;
    }

    private synchronized void reported(List<Delivery> call, int index, Outcome outcome) {
        if (index < 0 || index >= call.size()) {
            faults.add("reported index " + index + " of a call with " + call.size());
        } else {
            Delivery delivery = call.get(index);
            if (outcomes.putIfAbsent(delivery.event().eventId(), outcome) == null) {
                settle(delivery, outcome);
            }
        }
        reports.release();
    }

    private void settle(Delivery delivery, Outcome outcome) {
        String lane = lane(delivery);
        if (outcome instanceof Outcome.Delivered) {
            delivered++;
        } else {
            waiting.remove(lane);
        }
        inFlight.computeIfPresent(lane, (key, count) -> count == 1 ? null : count - 1);
    }

    private synchronized int deliveredCount() {
        return delivered;
    }

    /** Whether there is something to do, after waiting for it; false when all is done. */
    private boolean awaitReports(long deadline, Duration atMost) {
        if (isIdle()) {
            return false;
        }
        long left = deadline - TimeSource.SYSTEM.nanoTime();
        if (left <= 0) {
            throw new AssertionError(silence(atMost));
        }
        try {
            reports.tryAcquire(left, TimeUnit.NANOSECONDS);
            reports.drainPermits();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for outcomes", e);
        }
        return true;
    }

    private synchronized boolean isIdle() {
        return inFlight.isEmpty() && waiting.values().stream().allMatch(Deque::isEmpty);
    }

    private synchronized String silence(Duration atMost) {
        Set<String> silent = new HashSet<>(begun);
        silent.removeAll(outcomes.keySet());
        return "no outcome within " + atMost + " for " + silent.size() + " of " + begun.size()
                + " deliveries; the others: " + Set.copyOf(outcomes.values()) + "; faults: " + faults;
    }

    private static String lane(Delivery delivery) {
        String key = delivery.event().orderingKey();
        return key == null ? "no key: " + delivery.event().eventId() : key;
    }

    /** By event id, of everything that was begun. */
    synchronized Map<String, Outcome> outcomes() {
        if (!faults.isEmpty()) {
            throw new AssertionError(faults.toString());
        }
        return new LinkedHashMap<>(outcomes);
    }

    /** How long the longest call to deliver took. */
    synchronized Duration longestCall() {
        return longestCall;
    }
}
