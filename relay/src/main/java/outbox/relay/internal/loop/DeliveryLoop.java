package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.StoreClock;
import outbox.internal.ErrorText;
import outbox.model.OutboxEvent;
import outbox.model.Outcome;
import outbox.relay.internal.claim.Cursor;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.deliver.Deliverer;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.model.Pauses;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.LaneLimits;
import outbox.relay.internal.order.Lanes;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Route;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/**
 * One slot's work: claim, order, deliver, settle. The one class that knows all stages.
 *
 * <p>{@link #runOnce} is one turn: it collects the answers that have come, starts what may go, settles what is due, reads
 * what there is room for, and starts what may go by then. Deliveries go on between turns; nothing else does. Turns of one
 * slot never overlap, so the stages need no locks; other threads leave word in {@link #commands} or in the deliverer's
 * queue, and wake.
 *
 * <p>Settling comes before reading, so a fetch never shows as pending what this slot has just settled; what others
 * have {@linkplain Fetcher fetched} for it counts only if nothing was settled since.
 *
 * <pre>
 *   working ── revoke ──► draining ── all is settled, or the time is over ──► over (drained: to be released)
 *      │                     │
 *      └── fenced, or the lease is over ──────────────────────────────────► over (lost: nothing more is written)
 * </pre>
 */
public final class DeliveryLoop implements LoopScheduler.Loop, Fetcher.Loop {

    /** With so many commands waiting, lanes in which something came due are asked for later. */
    private static final int COMMANDS_MAX = 10;

    /** What becomes of a slot: null while it works. */
    public enum End {
        DRAINED,
        LOST
    }

    private final LoopContext context;
    private final Pacing pacing;
    private final LoopOwner owner;
    private final LoopNode node;
    private final Lanes lanes;
    private final Claimer claimer;
    private final PartitionPauses pauses;
    private final Deliverer deliverer;
    private final LaneDelivery delivery;
    private final OutcomeHandler outcomes;
    private final Suspects suspects;
    private final MemoryPressure pressure;

    /** Where others may fetch for this slot: put there by the turn, taken by the thread that fetches. */
    private final AtomicReference<@Nullable Cursor> cursor = new AtomicReference<>();

    /** Left by any thread, run by the next turn. */
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();

    // Only the turn touches these.
    private int failures;
    private boolean overflowing;
    private long drainUntilNanos;
    private long lastIterationNanos;

    // Written by the turn, read by others.
    private volatile boolean draining;
    private volatile @Nullable End end;
    private volatile PeekRequest.Position position;
    private volatile int eventsInMemory;
    private volatile RelayEvent.@Nullable LanesFull full;
    private volatile boolean fetchesUnprompted = true;
    private volatile boolean answersCanWait;

    /**
     * What a slot loop is made for.
     *
     * @param isOwned whether nobody else can have the slot
     * @param mayDeliver whether new deliveries may begin: not when somebody else might soon have the slot
     * @param past what became of the owners before
     */
    public record LoopOwner(
            PartitionOwnership ownership,
            ClusterLayout terms,
            BooleanSupplier isOwned,
            BooleanSupplier mayDeliver,
            Claimer claimer,
            OutcomeHandler.Fenced fenced,
            Suspects.Past past) {}

    /**
     * What a slot loop has of its node.
     *
     * @param waker asks for a turn
     * @param ended told once the slot is drained or lost
     * @param pauseReadsBegun the number of the latest look at the holds that was begun
     * @param suspectLock the one of the node
     * @param clock by which events grow old
     */
    public record LoopNode(
            Runnable waker, Runnable ended, LongSupplier pauseReadsBegun, SuspectLock suspectLock, StoreClock clock) {}

    public DeliveryLoop(LoopOwner owner, LoopNode node, RelayContext relay, LaneLimits limits) {
        this.owner = owner;
        this.node = node;
        this.claimer = owner.claimer();
        this.pacing = relay.pacing();
        this.lanes = new Lanes(limits, this::route, relay.router().routes());
        this.context = new LoopContext(owner.ownership(), relay, claimer, lanes, node.suspectLock(), node.clock());
        this.pressure = new MemoryPressure(lanes, pacing);
        this.pauses = new PartitionPauses(context, node.pauseReadsBegun());
        this.deliverer = new Deliverer(owner.ownership().slot(), relay.time(), this::canWait, node.waker());
        this.outcomes = new OutcomeHandler(context, pauses, owner.fenced());
        this.suspects = new Suspects(context, owner.fenced().store(), outcomes, owner.past(), node.waker());
        this.delivery = new LaneDelivery(context, suspects, pauses, deliverer, node.waker());
        this.position = claimer.position(lanes);
    }

    // A router that fails is one that has no way for the event: it waits, and nothing is lost.
    private List<Route> route(OutboxEvent event) {
        try {
            return context.relay().router().route(event);
        } catch (RuntimeException | LinkageError | StackOverflowError e) { // An Error of the router is no other's.
            publish(new RelayEvent.PartFailed("the router", "event " + event.eventId() + ": " + ErrorText.of(e), e));
            return List.of();
        }
    }

    // ---- for other threads ---------------------------------------------------------------------------------------

    public PartitionOwnership ownership() {
        return owner.ownership();
    }

    @Override
    public void wake() {
        claimer.wake();
        node.waker().run();
    }

    @Override
    public @Nullable Cursor takeCursor() {
        return cursor.getAndSet(null);
    }

    @Override
    public void fetchedNothing(Cursor by) {
        cursor.compareAndSet(null, by); // Unless an iteration has run meanwhile, and has put down another.
    }

    @Override
    public void fetched(Cursor by, PartitionPage page) {
        command(() -> {
            if (!isWorking() || pauses.isPaused()) {
                claimer.wake(); // What is seen now would be out of date when it may go on.
            } else {
                claimed(claimer.accept(lanes, by, page));
            }
        });
    }

    @Override
    public void cameDue(List<Integer> laneIds) {
        // Some may be another slot's by now: the peek was begun before the partitions were counted anew.
        command(() -> laneIds.stream()
                .filter(claimer::owns)
                .forEach(lane ->
                        lanes.waiting().cameDue(lane, context.relay().time().nanoTime())));
    }

    @Override
    public boolean owns(int lane) {
        return claimer.owns(lane);
    }

    @Override
    public ClusterLayout terms() {
        return owner.terms();
    }

    /** The routes have changed. */
    public void rerouted() {
        command(() -> {
            lanes.rerouted(context.relay().router().routes());
            claimer.wake();
        });
    }

    public void apply(Pauses latest) {
        command(() -> pauses.apply(latest));
    }

    /** Asks the slot to finish what is under way and begin nothing new. */
    public void revoke() {
        if (!draining) {
            command(this::beginToDrain);
        }
    }

    /** Another node has the slot: nothing more may be delivered or written. */
    public void lose(String reason) {
        command(() -> lost(reason));
    }

    private void command(Runnable command) {
        commands.add(command);
        node.waker().run();
    }

    /** How the slot ended; null while it has not. */
    @Nullable
    public End end() {
        return end;
    }

    @Override
    public boolean isWorking() {
        return end == null && !draining;
    }

    @Override
    public PeekRequest.Position position() {
        return position;
    }

    public long delivered() {
        return outcomes.delivered();
    }

    @Override
    public boolean canRememberLanes() {
        return full == null && commands.size() < COMMANDS_MAX;
    }

    /** Why nothing new is read; null while something may be. */
    public RelayEvent.@Nullable LanesFull full() {
        return full;
    }

    public int eventsInMemory() {
        return eventsInMemory;
    }

    @Override
    public boolean fetchesUnprompted() {
        return fetchesUnprompted;
    }

    // ---- the turn ------------------------------------------------------------------------------------------------

    /** One turn. Tests call it; production repeats it and rests for the returned time, unless it is woken. */
    @Override
    public Duration runOnce() {
        if (end != null) {
            return pacing.loopRestMax();
        }
        try {
            Duration rest = iterate();
            failures = 0;
            return rest;
        } catch (RuntimeException e) {
            publish(new RelayEvent.PartFailed("partition " + context.partition(), ErrorText.of(e), e));
            return min(pacing.failureRestMax(), pacing.failureRest().multipliedBy(1L << Math.min(failures++, 10)));
        } finally {
            eventsInMemory = lanes.events();
            full = full(full);
            publishSkipping();
            fetchesUnprompted = claimer.fetchesUnprompted();
            cursor.set(isWorking() && failures == 0 && !pauses.isPaused() ? claimer.cursor(lanes) : null);
        }
    }

    private Duration iterate() {
        if (!isOwned()) {
            return pacing.loopRestMax();
        }
        Duration gatherFor = pacing.gather().minusNanos(context.now() - lastIterationNanos);
        if (deliverer.inFlight() >= pacing.gatherFrom() && commands.isEmpty() && gatherFor.isPositive()) {
            return gatherFor;
        }
        lastIterationNanos = context.now();
        answersCanWait = false; // Before they are collected: one that comes later and can wait is seen to by the rest.
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        if (end != null) {
            return pacing.loopRestMax();
        }
        claimer.maintain(lanes);
        collect();
        outcomes.releaseAddresses();
        if (failures == 0) {
            deliver(); // Before anything is written, which takes as long as the disk does; but not while that fails.
        }
        settle();
        if (end == null) {
            suspects.strikeOut(isIdle());
        }
        if (end != null) {
            return pacing.loopRestMax();
        }
        if (draining) {
            return drain();
        }
        if (!pauses.isPaused()) {
            claim();
            deliver();
        }
        position = claimer.position(lanes);
        return rest();
    }

    private void deliver() {
        if (!draining && !pauses.isPaused()) {
            delivery.deliver(owner.mayDeliver());
            giveUpTooOld();
        }
        if (suspects.isFenced()) {
            lost("another node has taken it over");
        }
    }

    private void giveUpTooOld() {
        for (Route route : lanes.readyRoutes()) {
            DestinationGate gate = context.relay().gates().of(route);
            if (gate != null && gate.isDown()) {
                outcomes.giveUp(route, gate);
            }
        }
    }

    // One answer that cannot be dealt with must not take the others with it: they come only once.
    private void collect() {
        RuntimeException first = null;
        for (DeliveryResult result : deliverer.takeResults()) {
            try {
                suspects.answered(result);
                outcomes.completed(result);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    // Any thread. What failed, or goes on to its next destination, never waits.
    private boolean canWait(DeliveryResult answer) {
        return answersCanWait
                && answer.outcome() instanceof Outcome.Delivered
                && !LaneEvent.of(answer).hasNextRoute();
    }

    // All that is in memory is under way or waits to be settled, and nobody waits for that: then answers change nothing
    // before the next batch is settled, and need no turn of their own.
    private boolean canWaitForBatch() {
        return deliverer.inFlight() > 0
                && lanes.events() == deliverer.inFlight() + outcomes.waiting()
                && lanes.skippedLanes().isEmpty()
                && !outcomes.hasAcknowledgements()
                && !claimer.needsRoom(lanes)
                && outcomes.untilRested().isPositive();
    }

    private boolean isIdle() {
        return lanes.events() == 0 && !claimer.fetchesUnprompted() && !lanes.hasLanesToFetch();
    }

    private boolean isOwned() {
        boolean held = owner.isOwned().getAsBoolean();
        if (!held) {
            lost("its lease could not be renewed in time");
        }
        return held;
    }

    private void settle() {
        while (end == null && outcomes.waiting() > 0 && untilSettled().isZero() && isOwned()) {
            if (!outcomes.settle()) {
                lost("another node has taken it over");
            }
        }
    }

    // When nothing more is to come, there is nothing to wait for. But in a steady flow that is so after each event, and
    // each would have a commit of its own: so it counts after a rest, or when somebody waits for room or for a key.
    private Duration untilSettled() {
        if (draining || outcomes.hasAcknowledgements()) {
            return Duration.ZERO;
        }
        if (!deliverer.isIdle() || !lanes.readyRoutes().isEmpty()) {
            return outcomes.untilDue();
        }
        boolean atOnce =
                outcomes.waiting() >= pacing.settleAtOnce() || claimer.needsRoom(lanes) || outcomes.blocksKey();
        return atOnce ? Duration.ZERO : min(outcomes.untilDue(), outcomes.untilRested());
    }

    private void claim() {
        for (int lane : lanes.waiting().unpark(context.now())) {
            publish(new RelayEvent.Unparked(context.partition(), lane));
        }
        pressure.update(claimer.needsRoom(lanes), context.now());
        if (lanes.waiting().releaseOverflow(context.now())) {
            claimer.startOver();
        }
        claimed(claimer.fill(lanes, pressure.isStuck(context.now())));
    }

    // All passed lanes are counted only when they have become too many, and not again while they are.
    private RelayEvent.@Nullable LanesFull full(RelayEvent.@Nullable LanesFull before) {
        if (before != null || !lanes.waiting().isFull()) {
            return lanes.waiting().isFull() ? before : null;
        }
        int count = lanes.waiting().lanesWaiting();
        String waitFor = outcomes.mostAwaitedAddress()
                .or(lanes.waiting()::mostAwaitedTarget)
                .orElse(null);
        RelayEvent.LanesFull now = new RelayEvent.LanesFull(context.partition(), count, waitFor);
        publish(now);
        return now;
    }

    private void publishSkipping() {
        boolean before = overflowing;
        overflowing = lanes.waiting().hasOverflow();
        if (overflowing && !before) {
            publish(new RelayEvent.LanesSkipped(
                    context.partition(), lanes.skippedLanes().size()));
        }
    }

    private void claimed(int events) {
        if (events > 0) {
            publish(new RelayEvent.Claimed(context.partition(), events));
        }
    }

    private Duration rest() {
        boolean more = !pauses.isPaused() && claimer.isReady(lanes);
        if (more || deliverer.hasResults() || !commands.isEmpty()) {
            return Duration.ZERO;
        }
        Duration rest = min(pacing.loopRestMax(), deliverer.nextDeadline());
        if (outcomes.waiting() > 0) {
            rest = min(rest, untilSettled());
        }
        if (canWaitForBatch()) {
            answersCanWait = true;
            rest = min(rest, outcomes.untilRested());
        }
        if (pauses.isPaused()) {
            return rest; // Nothing that comes due is taken up before it is resumed.
        }
        rest = min(rest, outcomes.untilAddressProbe());
        OptionalLong unpark = lanes.waiting().nextUnparkNanos();
        if (unpark.isPresent()) {
            rest = min(rest, Duration.ofNanos(Math.max(0, unpark.getAsLong() - context.now())));
        }
        Duration blockedFor = delivery.blockedFor();
        if (blockedFor != null) {
            rest = min(rest, blockedFor);
        }
        return pressure.isFull() ? min(rest, pacing.fullFor()) : rest;
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    private void beginToDrain() {
        if (!draining) {
            draining = true;
            drainUntilNanos =
                    context.now() + context.relay().config().cluster().drain().toNanos();
            claimer.release(lanes);
        }
    }

    private Duration drain() {
        boolean timeIsOver = context.now() - drainUntilNanos >= 0;
        if (timeIsOver || (deliverer.isIdle() && outcomes.waiting() == 0)) {
            int abandoned = deliverer.abandon();
            publish(new RelayEvent.SlotReleased(context.partition(), ownership().epoch(), abandoned));
            end = End.DRAINED;
            suspects.end();
            node.ended().run();
            return pacing.loopRestMax();
        }
        return min(Duration.ofNanos(drainUntilNanos - context.now()), deliverer.nextDeadline());
    }

    private void lost(String reason) {
        if (end == null) {
            int abandoned = deliverer.abandon();
            end = End.LOST;
            suspects.end();
            publish(new RelayEvent.SlotLost(context.partition(), ownership().epoch(), reason, abandoned));
            node.ended().run();
        }
    }

    private void publish(RelayEvent event) {
        context.relay().listener().on(event);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
