package outbox.relay.internal.deliver;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import outbox.model.Outcome;
import outbox.relay.internal.model.Consequence;
import outbox.relay.internal.model.Deliverable;
import outbox.relay.internal.model.DeliveryResult;
import outbox.spi.Destination;
import outbox.spi.TimeSource;

/** One call of a destination. Its answers may come on any thread, and only the first for each event counts. */
final class Call implements Destination.Receipt {

    private static final int OPEN = 0;
    private static final int REPORTED = 1;

    private final DestinationGate gate;
    private final List<Deliverable> events;
    private final ReadableBatch batch;
    private final boolean probe;
    private final TimeSource time;
    private final long begunNanos;
    private final Consumer<DeliveryResult> completed;
    private final AtomicIntegerArray states;

    /** For each event the number of its lane, counted within this call. */
    private final int[] laneOf;

    /** How many events of each lane are still open; guarded by this. */
    private final int[] openOfLane;

    private int open; // guarded by this
    private boolean unanswered; // whether the gate knows; guarded by this

    Call(
            DestinationGate gate,
            ReadableBatch batch,
            boolean probe,
            TimeSource time,
            Consumer<DeliveryResult> completed) {
        this.gate = gate;
        this.batch = batch;
        this.events = batch.all();
        this.probe = probe;
        this.time = time;
        this.begunNanos = time.nanoTime();
        this.completed = completed;
        this.states = new AtomicIntegerArray(events.size());
        this.open = events.size();
        this.laneOf = new int[events.size()];
        this.openOfLane = new int[events.size()];
        Map<Integer, Integer> lanes = new HashMap<>();
        for (int i = 0; i < laneOf.length; i++) {
            int lane = events.get(i).laneId();
            boolean same = i > 0 && events.get(i - 1).laneId() == lane; // Nearly always, so the map is seldom used.
            laneOf[i] = same ? laneOf[i - 1] : lanes.computeIfAbsent(lane, id -> lanes.size());
            openOfLane[laneOf[i]]++;
        }
    }

    @Override
    public void report(int index, Outcome outcome) {
        if (!states.compareAndSet(index, OPEN, REPORTED)) {
            return;
        }
        long now = time.nanoTime();
        Consequence consequence = Consequence.ATTEMPTED;
        try {
            consequence = consequence(index, outcome, now);
        } finally { // Whatever fails here: an event whose answer is lost would stop its key forever.
            release(index); // Afterwards, since this wakes loops that wait: they must see the new state of the gate.
            completed.accept(new DeliveryResult(events.get(index), gate.name(), outcome, consequence, now));
        }
    }

    private Consequence consequence(int index, Outcome outcome, long now) {
        return switch (outcome) {
            case Outcome.Delivered delivered -> {
                gate.delivered(now);
                addressAnswered(index);
                yield Consequence.ATTEMPTED;
            }
            case Outcome.Rejected rejected -> {
                // A transport may reject an event before it sends anything, so this proves nothing about the
                // destination.
                addressProbeAbandoned(index);
                probeAbandoned();
                yield Consequence.ATTEMPTED;
            }
            case Outcome.Retryable retryable -> failed(index, retryable);
            case Outcome.Unavailable unavailable -> unavailable(index, unavailable);
        };
    }

    private Consequence failed(int index, Outcome.Retryable retryable) {
        if (!retryable.unanswered()) {
            gate.eventFailed(retryable.error());
            addressAnswered(index);
            return Consequence.ATTEMPTED;
        }
        addressProbeAbandoned(index);
        if (!gate.hasDeliveredSince(begunNanos)) {
            gate.unavailable(retryable.error(), null, probe);
            return Consequence.RETURNED;
        }
        if (isFirstUnanswered()) {
            gate.unanswered(retryable.error(), probe);
        }
        return Consequence.ATTEMPTED;
    }

    private Consequence unavailable(int index, Outcome.Unavailable unavailable) {
        return switch (unavailable.scope()) {
            case CALL -> {
                addressProbeAbandoned(index);
                probeAbandoned();
                yield Consequence.RETURNED;
            }
            case ADDRESS -> {
                // A transport may remember the address and send nothing: another event has to probe.
                probeAbandoned();
                String address = batch.address(gate, index);
                yield address != null && gate.addresses().failed(address, unavailable.error(), unavailable.after())
                        ? new Consequence.AwaitsAddress(address)
                        : new Consequence.Paused(gate.config().breakerRestMax());
            }
            case DESTINATION -> {
                addressProbeAbandoned(index);
                boolean othersArrive = gate.hasDeliveredSince(begunNanos);
                gate.unavailable(unavailable.error(), unavailable.after(), probe);
                // It may be that only this event finds it unavailable. Then it must not be attempted again at once.
                yield othersArrive ? new Consequence.Paused(gate.config().breakerRest()) : Consequence.RETURNED;
            }
        };
    }

    private void addressAnswered(int index) {
        String address = gate.addresses().isAnyUnavailable() ? batch.address(gate, index) : null;
        if (address != null) {
            gate.addresses().answered(address);
        }
    }

    private void addressProbeAbandoned(int index) {
        String address = batch.probes(index) ? batch.address(gate, index) : null;
        if (address != null) {
            gate.addresses().probeAbandoned(address);
        }
    }

    private void probeAbandoned() {
        if (probe) {
            gate.probeAbandoned();
        }
    }

    private synchronized boolean isFirstUnanswered() {
        boolean first = !unanswered;
        unanswered = true;
        return first;
    }

    /** Answers in place of the destination, which is not contacted. */
    void rejectLocally(int index, ReadableBatch.Answer answer) {
        if (states.compareAndSet(index, OPEN, REPORTED)) {
            release(index);
            completed.accept(new DeliveryResult(
                    events.get(index), gate.name(), answer.outcome(), answer.consequence(), time.nanoTime()));
        }
    }

    void reportAll(Outcome outcome) {
        for (int i = 0; i < events.size(); i++) {
            report(i, outcome);
        }
    }

    /** Ignores all further answers; returns how many were missing. */
    int abandon() {
        int abandoned = 0;
        for (int i = 0; i < events.size(); i++) {
            if (states.compareAndSet(i, OPEN, REPORTED)) {
                addressProbeAbandoned(i);
                release(i);
                abandoned++;
            }
        }
        if (probe && abandoned > 0) {
            gate.probeAbandoned(); // No answer will come: without this, no event would ever probe again.
        }
        return abandoned;
    }

    synchronized boolean isOver() {
        return open == 0;
    }

    private void release(int index) {
        boolean lastOfItsKey;
        synchronized (this) {
            open--;
            lastOfItsKey = --openOfLane[laneOf[index]] == 0;
        }
        gate.eventAnswered(events.get(index).bytes(), lastOfItsKey);
    }
}
