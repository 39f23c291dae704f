package outbox.relay.internal.deliver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import outbox.internal.ErrorText;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.relay.internal.model.Deliverable;
import outbox.relay.internal.model.DeliveryResult;
import outbox.spi.TimeSource;

/**
 * Makes the attempts of one partition. The partition's loop starts, expires and abandons them; answers come on any thread and
 * wait here for the loop.
 */
public final class Deliverer {

    private final int partition;
    private final TimeSource time;
    private final Predicate<DeliveryResult> canWait;
    private final Runnable waker;
    private final Queue<DeliveryResult> results = new ConcurrentLinkedQueue<>();
    /** Whether the loop was woken for what is in the queue: once is enough, however many answers come. */
    private final AtomicBoolean woken = new AtomicBoolean();

    /** Events that are not answered; counted up by the loop and down by any thread. */
    private final AtomicInteger inFlight = new AtomicInteger();

    /** The calls that are not over, with their deadlines. Only the loop uses them. */
    private final Map<Call, Long> open = new LinkedHashMap<>();

    /**
     * @param partition the partition that destinations are given with each delivery
     * @param canWait whether an answer can wait until the loop's next iteration; called on any thread
     * @param waker run when an answer has come that cannot wait
     */
    public Deliverer(int partition, TimeSource time, Predicate<DeliveryResult> canWait, Runnable waker) {
        this.partition = partition;
        this.time = time;
        this.canWait = canWait;
        this.waker = waker;
    }

    /** Begins one attempt at each event, under a permit that was reserved for them. Never throws. */
    public void start(DestinationGate gate, List<? extends Deliverable> events, boolean probe) {
        ReadableBatch batch = ReadableBatch.of(events, partition, gate);
        Call call = new Call(gate, batch, probe, time, this::completed);
        inFlight.addAndGet(batch.all().size());
        open.put(call, time.nanoTime() + gate.config().deadline().toNanos());
        int index = batch.deliveries().size();
        for (ReadableBatch.Answer answer : batch.answers()) {
            call.rejectLocally(index++, answer);
        }
        if (batch.deliveries().isEmpty()) {
            if (probe) {
                gate.probeAbandoned();
            }
        } else {
            deliver(gate, call, batch.deliveries());
        }
        if (call.isOver()) {
            open.remove(call);
        }
    }

    private void deliver(DestinationGate gate, Call call, List<Delivery> deliveries) {
        try {
            gate.destination().deliver(deliveries, call);
        } catch (Throwable e) { // Whatever a destination throws is an answer, and must not end the loop.
            call.reportAll(
                    mayBeOfDestination(e)
                            ? Outcome.Retryable.unanswered(ErrorText.of(e))
                            : new Outcome.Retryable(ErrorText.of(e), null));
        }
    }

    // A missing class or ended threads are no event's fault, if nothing else is delivered either. A stack may be too
    // small for one event.
    private static boolean mayBeOfDestination(Throwable thrown) {
        return thrown instanceof RejectedExecutionException
                || (thrown instanceof Error && !(thrown instanceof StackOverflowError));
    }

    private void completed(DeliveryResult completion) {
        results.add(completion);
        boolean last = inFlight.decrementAndGet() == 0;
        if (canWait.test(completion)) {
            return;
        }
        if (!woken.getAndSet(true) || last) {
            waker.run(); // For the last one again: the loop may be waiting for more answers than will come.
        }
    }

    /** Takes the answers that have come, including those of calls whose deadline has passed. */
    public List<DeliveryResult> takeResults() {
        expire();
        woken.set(false); // Before the queue is read: an answer that comes later wakes the loop again.
        List<DeliveryResult> taken = new ArrayList<>();
        for (DeliveryResult next = results.poll(); next != null; next = results.poll()) {
            taken.add(next);
        }
        return taken;
    }

    private void expire() {
        long now = time.nanoTime();
        Iterator<Map.Entry<Call, Long>> calls = open.entrySet().iterator();
        List<Call> late = new ArrayList<>();
        while (calls.hasNext()) {
            Map.Entry<Call, Long> call = calls.next();
            if (call.getKey().isOver()) {
                calls.remove();
            } else if (now - call.getValue() >= 0) {
                late.add(call.getKey());
                calls.remove();
            }
        }
        late.forEach(call ->
                call.reportAll(Outcome.Retryable.unanswered("the destination did not answer before the deadline")));
    }

    public boolean hasResults() {
        return !results.isEmpty();
    }

    /** How many events have been handed to a destination and not been answered. */
    public int inFlight() {
        return inFlight.get();
    }

    public boolean isIdle() {
        return open.isEmpty() && results.isEmpty();
    }

    /** How long until the next deadline; a long time when nothing is in flight. */
    public Duration nextDeadline() {
        long now = time.nanoTime();
        long least = Duration.ofHours(1).toNanos();
        for (long deadline : open.values()) {
            least = Math.min(least, Math.max(0, deadline - now));
        }
        return Duration.ofNanos(least);
    }

    /** Ignores all further answers; returns how many events were in flight. */
    public int abandon() {
        int abandoned = 0;
        for (Call call : open.keySet()) {
            abandoned += call.abandon();
        }
        inFlight.addAndGet(-abandoned);
        open.clear();
        results.clear();
        return abandoned;
    }
}
