package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import outbox.internal.ErrorText;
import outbox.internal.HeldClaim;
import outbox.internal.SettleRule;
import outbox.model.Claim;
import outbox.model.Outcome;
import outbox.model.Settlement;
import outbox.spi.ClaimStore;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;

/**
 * Settle, the writing: collects what workers have finished and writes it in batches, one short transaction each.
 *
 * <p>Workers do not wait for the write, so many finish into one transaction while the previous one commits. When
 * the store cannot be reached the batch is kept and tried again; the queue fills, workers wait, and events stay in
 * the store until it is back.
 */
final class SettlementWriter {

    private static final Logger LOG = System.getLogger(SettlementWriter.class.getName());
    private static final int BATCH_MAX = 500;
    private static final int QUEUE_CAPACITY = 1_000;
    /** How many must be refused one after the other, and none taken, to conclude that the store is out of reach. */
    private static final int REFUSED_MAX = 2;

    /** Claims to be given back are two short strings each, so that a burst of them is no burden. */
    private static final int RELEASES_MAX = 100_000;

    /** What failed attempts name as where they went; which listener failed, the error says. */
    private static final String LISTENERS = "listeners";

    /** What the writer needs of the store, and the name under which it writes. */
    record Target(SettleStore settlements, ClaimStore claims, String nodeId) {}

    private final Target target;
    private final SettleRule rule;
    private final SettlementEffects aftermath;
    private final StoreClock clock;
    private final ArrayBlockingQueue<Finished> finished = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final LinkedBlockingQueue<Claim> releases = new LinkedBlockingQueue<>(RELEASES_MAX);

    /** Taken from the queue and not yet written. Only the thread that runs the turns touches it. */
    private final List<Finished> batch = new ArrayList<>();

    SettlementWriter(Target target, SettleRule rule, SettlementEffects aftermath, StoreClock clock) {
        this.target = target;
        this.rule = rule;
        this.aftermath = aftermath;
        this.clock = clock;
    }

    /** Takes what became of an event, waiting while the queue is full. */
    void submit(QueuedEvent event, HeldClaim held, Outcome outcome) throws InterruptedException {
        Settlement settlement = rule.decide(
                held.claim(), outcome, event.attempts(), event.envelope().maxAttempts(), age(event));
        Finished done = Finished.of(event, held, settlement);
        // Offered first, because put refuses a thread that is interrupted even when there is room.
        if (!finished.offer(done)) {
            finished.put(done);
        }
    }

    // The time is asked for where it matters, which is seldom.
    private Duration age(QueuedEvent event) {
        Instant since = event.storedAt();
        return since == null || rule.giveUpAfter() == null ? Duration.ZERO : clock.since(since);
    }

    /** Settles an event that too many have died with, instead of having it delivered; false when it may be delivered. */
    boolean submitIfDead(QueuedEvent event, HeldClaim held) throws InterruptedException {
        Optional<Outcome> dead = rule.afterDeaths(event.deaths());
        if (dead.isPresent()) {
            submit(event, held, dead.get());
        }
        return dead.isPresent();
    }

    /** Gives a claim back soon. When too many wait already, the lease gives it back by itself. */
    void releaseSoon(Claim claim) {
        if (!releases.offer(claim)) {
            LOG.log(Level.DEBUG, "event {0}: its claim is left to expire", claim.eventId());
        }
    }

    boolean isIdle() {
        return finished.isEmpty() && releases.isEmpty() && batch.isEmpty();
    }

    /** Waits for something to settle, and says whether there is. Claims to be given back do not let it wait. */
    boolean await(Duration atMost) throws InterruptedException {
        if (batch.isEmpty()) {
            Duration wait = releases.isEmpty() ? atMost : Duration.ZERO;
            Finished first = finished.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
            if (first != null) {
                batch.add(first);
            }
        }
        return !batch.isEmpty();
    }

    /**
     * One turn: writes a batch, and gives a batch of claims back. Not all of them: while publishers are faster than workers
     * there are always more, and nothing would be settled. Throws what the store throws, losing nothing.
     */
    void runOnce() {
        finished.drainTo(batch, BATCH_MAX - batch.size());
        if (!batch.isEmpty()) {
            write();
        }
        if (!releases.isEmpty()) {
            release();
        }
    }

    private void write() {
        List<SettleResult.Item> results;
        try {
            results = settle(batch);
        } catch (RuntimeException e) {
            results = settleOneByOne(e);
        }
        int lost = Collections.frequency(results, SettleResult.Item.CLAIM_LOST);
        if (lost > 0) {
            LOG.log(
                    Level.WARNING,
                    "{0} of {1} settlements changed nothing: their claims had expired and others hold the events now,"
                            + " or an earlier try had been written and only its answer was lost",
                    lost,
                    batch.size());
        }
        List<Finished> done = List.copyOf(batch);
        batch.clear();
        for (int n = 0; n < done.size(); n++) {
            switch (results.get(n)) {
                case WRITTEN -> aftermath.settled(done.get(n));
                case CLAIM_LOST -> aftermath.changedNothing(done.get(n));
            }
        }
    }

    private List<SettleResult.Item> settle(List<Finished> events) {
        return settleItems(events.stream()
                .map(event -> new SettleItem(event.settlement(), event.attempts() - 1, LISTENERS))
                .toList());
    }

    private List<SettleResult.Item> settleItems(List<SettleItem> items) {
        SettleRequest request = new SettleRequest(
                new SettleRequest.Fence.Tokens(), target.nodeId(), items, SettleRequest.DoneRows.KEEP, List.of(), true);
        return switch (target.settlements().settle(request)) {
            case SettleResult.Settled settled -> settled.items();
            case SettleResult.Fenced fenced -> throw new IllegalStateException("claims by token are fenced one by one");
        };
    }

    /** Writes at once that an event is dead which never came here, since it cannot be decoded. */
    void settleUndecodable(Settlement.Dead dead, int attempts) {
        settleItems(List.of(new SettleItem(dead, attempts, LISTENERS)));
    }

    /**
     * After a batch has failed: one settlement that the database refuses must not keep the others from being
     * written. When nothing at all can be written, the store is out of reach, and the batch is kept for later.
     */
    private List<SettleResult.Item> settleOneByOne(RuntimeException cause) {
        List<SettleResult.Item> results = new ArrayList<>();
        Map<Finished, RuntimeException> refused = new LinkedHashMap<>();
        boolean reached = false;
        for (Finished event : batch) {
            try {
                results.add(settleAlone(event));
                reached = true;
            } catch (RuntimeException e) {
                refused.put(event, e);
                results.add(SettleResult.Item.CLAIM_LOST);
                if (!reached && (refused.size() == REFUSED_MAX || refused.size() == batch.size())) {
                    throw cause;
                }
            }
        }
        refused.forEach((event, e) -> LOG.log(
                Level.ERROR,
                "event " + event.eventId() + " cannot be settled; it is delivered again when its claim expires: "
                        + ErrorText.of(e),
                e));
        return results;
    }

    // The text of an error is the one thing that a database may refuse, for its characters.
    private SettleResult.Item settleAlone(Finished event) {
        try {
            return settle(List.of(event)).getFirst();
        } catch (RuntimeException e) {
            return settle(List.of(event.withPlainError())).getFirst();
        }
    }

    private void release() {
        Set<Claim> claims = new HashSet<>();
        releases.drainTo(claims, BATCH_MAX);
        target.claims().release(claims);
        aftermath.released();
    }
}
