package outbox.relay.deliver;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.util.TimeSource;

/** One call of a destination. Its answers may come on any thread, and only the first for each event counts. */
final class Call<T> implements Destination.Receipt {

    private static final int OPEN = 0;
    private static final int REPORTED = 1;

    private final DestinationGate gate;
    private final List<Sending<T>> sendings;
    private final boolean trial;
    private final TimeSource time;
    private final Consumer<Completion<T>> completed;
    private final AtomicIntegerArray states;

    /** For each event the number of its lane, counted within this call. */
    private final int[] laneOf;

    /** How many events of each lane are still open; guarded by this. */
    private final int[] openOfLane;

    /** Lanes of which an event has failed: those behind it say nothing more about the destination. Guarded by this. */
    private final Set<Integer> failedLanes = new HashSet<>();

    private int open; // guarded by this

    Call(
            DestinationGate gate,
            List<Sending<T>> sendings,
            boolean trial,
            TimeSource time,
            Consumer<Completion<T>> completed) {
        this.gate = gate;
        this.sendings = sendings;
        this.trial = trial;
        this.time = time;
        this.completed = completed;
        this.states = new AtomicIntegerArray(sendings.size());
        this.open = sendings.size();
        this.laneOf = new int[sendings.size()];
        this.openOfLane = new int[sendings.size()];
        Map<Integer, Integer> lanes = new HashMap<>();
        for (int i = 0; i < laneOf.length; i++) {
            int lane = sendings.get(i).lane();
            boolean same = i > 0 && sendings.get(i - 1).lane() == lane; // As nearly always, so the map is seldom asked.
            laneOf[i] = same ? laneOf[i - 1] : lanes.computeIfAbsent(lane, id -> lanes.size());
            openOfLane[laneOf[i]]++;
        }
    }

    @Override
    public void report(int index, Outcome outcome) {
        if (!states.compareAndSet(index, OPEN, REPORTED)) {
            return;
        }
        Sending<T> sending = sendings.get(index);
        boolean failed = outcome instanceof Outcome.Retryable;
        if (!(outcome instanceof Outcome.Retryable retryable)) {
            gate.succeeded(); // It answered, even if it was to refuse the event for good.
        } else if (isFirstFailureOfItsLane(sending)) {
            gate.failed(sending.event().eventId(), retryable.error());
        }
        leave(index); // Afterwards, since it wakes those who wait: they must find the way as it is now.
        completed.accept(new Completion<>(sending.ticket(), gate.name(), outcome, !(trial && failed), time.nanoTime()));
    }

    private synchronized boolean isFirstFailureOfItsLane(Sending<T> sending) {
        return failedLanes.add(sending.lane());
    }

    /** Answers for the destination, which is not asked and about which nothing is learnt. */
    void answerUnasked(int index, Outcome outcome, boolean counts) {
        if (states.compareAndSet(index, OPEN, REPORTED)) {
            Sending<T> sending = sendings.get(index);
            leave(index);
            completed.accept(new Completion<>(sending.ticket(), gate.name(), outcome, counts, time.nanoTime()));
        }
    }

    void reportAll(Outcome outcome) {
        for (int i = 0; i < sendings.size(); i++) {
            report(i, outcome);
        }
    }

    /** Waits for no answer any more, and returns how many were open. */
    int abandon() {
        int abandoned = 0;
        for (int i = 0; i < sendings.size(); i++) {
            if (states.compareAndSet(i, OPEN, REPORTED)) {
                leave(i);
                abandoned++;
            }
        }
        if (trial && abandoned > 0) {
            gate.gaveUpTrying(); // Nobody will report: without this, nothing would ever be tried again.
        }
        return abandoned;
    }

    synchronized boolean isOver() {
        return open == 0;
    }

    private void leave(int index) {
        boolean lastOfItsKey;
        synchronized (this) {
            open--;
            lastOfItsKey = --openOfLane[laneOf[index]] == 0;
        }
        gate.left(sendings.get(index).bytes(), lastOfItsKey);
    }
}
