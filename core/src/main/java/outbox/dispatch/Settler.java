package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.Outcome;
import outbox.model.Settlement;
import outbox.spi.DispatchStore;
import outbox.util.ErrorText;

/**
 * Settle, the writing: collects what workers have finished and writes it in batches, one short transaction each.
 *
 * <p>Workers do not wait for the write, so many finish into one transaction while the previous one commits. When
 * the store cannot be reached the batch is kept and tried again; the queue fills, workers wait, and events stay in
 * the store until it is back.
 */
final class Settler {

    private static final Logger LOG = System.getLogger(Settler.class.getName());
    private static final int BATCH_MAX = 500;
    private static final int QUEUE_CAPACITY = 1_000;

    /** An event with the decision about it. */
    private record Completion(QueuedEvent event, Settlement settlement) {}

    private final DispatchStore store;
    private final SettleRule rule;
    private final Aftermath aftermath;
    private final ArrayBlockingQueue<Completion> completions = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final ArrayBlockingQueue<Claim> releases = new ArrayBlockingQueue<>(QUEUE_CAPACITY);

    /** Taken from the queue and not yet written. Only the thread that runs the turns touches it. */
    private final List<Completion> batch = new ArrayList<>();

    Settler(DispatchStore store, SettleRule rule, Aftermath aftermath) {
        this.store = store;
        this.rule = rule;
        this.aftermath = aftermath;
    }

    /** Takes what became of an event, waiting while the queue is full. */
    void submit(QueuedEvent event, HeldClaim held, Outcome outcome) throws InterruptedException {
        Completion completion = new Completion(event.heldBy(held), rule.decide(held.claim(), outcome, event));
        // Offered first, because put refuses a thread that is interrupted even when there is room.
        if (!completions.offer(completion)) {
            completions.put(completion);
        }
    }

    /** Gives a claim back soon. When too many wait already, the lease gives it back by itself. */
    void releaseSoon(Claim claim) {
        if (!releases.offer(claim)) {
            LOG.log(Level.DEBUG, "event {0}: its claim is left to expire", claim.eventId());
        }
    }

    boolean isIdle() {
        return completions.isEmpty() && releases.isEmpty() && batch.isEmpty();
    }

    /** Waits for something to settle, and says whether there is. */
    boolean await(Duration atMost) throws InterruptedException {
        if (batch.isEmpty()) {
            Completion first = completions.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (first != null) {
                batch.add(first);
            }
        }
        return !batch.isEmpty();
    }

    /** One turn: writes all there is. Throws what the store throws, losing nothing. */
    void runOnce() {
        completions.drainTo(batch, BATCH_MAX - batch.size());
        if (!batch.isEmpty()) {
            write();
        }
        if (!releases.isEmpty()) {
            release();
        }
    }

    private void write() {
        int written;
        try {
            written = settle(batch);
        } catch (OutboxException e) {
            throw e; // The store is out of reach: the batch is kept for the next turn.
        } catch (RuntimeException e) {
            written = settleOneByOne(e);
        }
        if (written < batch.size()) {
            LOG.log(
                    Level.WARNING,
                    "{0} of {1} settlements came too late and changed nothing: their claims had expired and others"
                            + " hold the events now",
                    batch.size() - written,
                    batch.size());
        }
        List<Completion> done = List.copyOf(batch);
        batch.clear();
        // How many were written is known, and not which: unless none was, all are taken to be.
        boolean noneWritten = written == 0;
        done.forEach(completion -> {
            if (noneWritten) {
                aftermath.cameTooLate(completion.event());
            } else {
                aftermath.settled(completion.event(), completion.settlement());
            }
        });
    }

    private int settle(List<Completion> completed) {
        return store.settle(completed.stream().map(Completion::settlement).toList());
    }

    // A settlement that the store chokes on must not keep the others from being written.
    private int settleOneByOne(RuntimeException cause) {
        int written = 0;
        for (Completion completion : batch) {
            try {
                written += settle(List.of(completion));
            } catch (RuntimeException e) {
                LOG.log(
                        Level.ERROR,
                        "event " + completion.event().eventId() + " cannot be settled; it is delivered again when its"
                                + " claim expires: " + ErrorText.of(e),
                        cause);
            }
        }
        return written;
    }

    private void release() {
        Set<Claim> claims = new HashSet<>();
        releases.drainTo(claims, BATCH_MAX);
        store.release(claims);
    }
}
