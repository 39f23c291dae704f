package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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
 * Settles the events that workers have finished, in batches of one short transaction each.
 *
 * <p>Workers do not wait for the write: events that finish while one transaction commits share the next. When the store
 * cannot be reached, the batch is kept and tried again; the queue fills, workers wait, and events stay in the store
 * until it is back.
 */
final class SettlementWriter {

    private static final Logger LOG = System.getLogger(SettlementWriter.class.getName());
    private static final int BATCH_MAX = 500;
    private static final int QUEUE_CAPACITY = 1_000;
    /** After this many refused settlements and no accepted one, the store counts as out of reach. */
    private static final int REFUSED_MAX = 2;

    /** A claim is two short strings: a large number of them needs little memory. */
    private static final int RELEASES_MAX = 100_000;

    /** The destination that failed attempts are recorded with. The error says which listener failed. */
    private static final String LISTENERS = "listeners";

    /** The ports of the store, and the node id that settlements are recorded with. */
    record Target(SettleStore settlements, ClaimStore claims, String nodeId) {}

    private final Target target;
    private final SettleRule rule;
    private final SettlementEffects effects;
    private final StoreClock clock;
    private final ArrayBlockingQueue<Finished> finished = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final LinkedBlockingQueue<Claim> releases = new LinkedBlockingQueue<>(RELEASES_MAX);

    /** Taken from the queue and not yet written. Only the thread that calls {@link #runOnce} touches it. */
    private final List<Finished> batch = new ArrayList<>();

    SettlementWriter(Target target, SettleRule rule, SettlementEffects effects, StoreClock clock) {
        this.target = target;
        this.rule = rule;
        this.effects = effects;
        this.clock = clock;
    }

    /** Takes the outcome of an event. Waits while the queue is full. */
    void submit(QueuedEvent event, HeldClaim held, Outcome outcome) throws InterruptedException {
        Settlement settlement = rule.decide(
                held.claim(), outcome, event.attempts(), event.envelope().maxAttempts(), age(event));
        Finished done = Finished.of(event, held, settlement);
        // Offer first: put throws on an interrupted thread even when there is room.
        if (!finished.offer(done)) {
            finished.put(done);
        }
    }

    // Reads the store's clock only if the age matters.
    private Duration age(QueuedEvent event) {
        Instant since = event.storedAt();
        return since == null || rule.giveUpAfter() == null ? Duration.ZERO : clock.since(since);
    }

    /** Settles an event as dead if too many processes have ended with it; otherwise returns false. */
    boolean submitIfDead(QueuedEvent event, HeldClaim held) throws InterruptedException {
        Optional<Outcome> dead = rule.afterDeaths(event.deaths());
        if (dead.isPresent()) {
            submit(event, held, dead.get());
        }
        return dead.isPresent();
    }

    /** Releases a claim with the next iteration. When too many wait already, the claim expires instead. */
    void releaseLater(Claim claim) {
        if (!releases.offer(claim)) {
            LOG.log(Level.DEBUG, "event {0}: its claim is left to expire", claim.eventId());
        }
    }

    boolean isIdle() {
        return finished.isEmpty() && releases.isEmpty() && batch.isEmpty();
    }

    /** Waits for a finished event; false when there is none. Does not wait while there are claims to release. */
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
     * Writes one batch of settlements and releases one batch of claims. One batch only: while publishers are faster
     * than workers, there are always more claims to release, and nothing would be settled. Passes on what the store
     * throws, and loses nothing.
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
        List<Finished> refused = new ArrayList<>();
        try {
            results = settle(batch);
        } catch (RuntimeException e) {
            results = settleOneByOne(e, refused);
        }
        int lost = Collections.frequency(results, SettleResult.Item.CLAIM_LOST);
        if (lost > 0) {
            LOG.log(
                    Level.WARNING,
                    "{0} of {1} settlements changed nothing: their claims had expired and another instance has the"
                            + " events now, or an earlier attempt was written and its reply was lost",
                    lost,
                    batch.size());
        }
        List<Finished> done = List.copyOf(batch);
        batch.clear();
        for (int n = 0; n < done.size(); n++) {
            switch (results.get(n)) {
                case WRITTEN -> effects.settled(done.get(n));
                case CLAIM_LOST -> effects.changedNothing(done.get(n));
            }
        }
        refused.forEach(effects::changedNothing);
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

    /** Settles an event as dead at once, without a delivery, because it cannot be decoded. */
    void settleUndecodable(Settlement.Dead dead, int attempts) {
        settleItems(List.of(new SettleItem(dead, attempts, LISTENERS)));
    }

    /**
     * Writes each settlement of a failed batch alone, so that one that the database refuses does not block the others.
     * When none can be written, the store is out of reach: throws the cause and keeps the batch.
     *
     * @param refused takes the events that leave the batch unsettled
     */
    private List<SettleResult.Item> settleOneByOne(RuntimeException cause, List<Finished> refused) {
        List<SettleResult.Item> results = new ArrayList<>();
        List<RuntimeException> refusals = new ArrayList<>();
        for (Finished event : batch) {
            try {
                results.add(settleAlone(event));
            } catch (RuntimeException e) {
                refused.add(event);
                refusals.add(e);
                if (results.isEmpty() && (refused.size() == REFUSED_MAX || refused.size() == batch.size())) {
                    throw cause;
                }
            }
        }
        // A refused settlement is no lost claim: it leaves the batch, and the claim expires.
        batch.removeAll(refused);
        for (int n = 0; n < refused.size(); n++) {
            LOG.log(
                    Level.ERROR,
                    "event " + refused.get(n).eventId()
                            + " cannot be settled; it is delivered again when its claim expires: "
                            + ErrorText.of(refusals.get(n)),
                    refusals.get(n));
        }
        return results;
    }

    // A database may refuse the characters of an error text, and nothing else of a settlement.
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
        effects.released();
    }
}
