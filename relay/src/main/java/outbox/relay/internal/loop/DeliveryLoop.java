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
public final class DeliveryLoop implements LoopScheduler.Turn, Fetcher.Loop {

    /** With so many commands waiting, lanes in which something came due are asked for later. */
    private static final int COMMANDS_MAX = 10;

    /** What becomes of a slot: null while it works. */
    public enum End {
        DRAINED,
        LOST
    }

    private final LoopContext parts;
    private final Pacing pacing;
    private final Tenure tenure;
    private final Surroundings node;
    private final Lanes lanes;
    private final Claimer intake;
    private final PartitionPauses holds;
    private final Deliverer deliverer;
    private final LaneDelivery delivery;
    private final OutcomeHandler settling;
    private final Suspects suspects;
    private final MemoryPressure pressure;

    /** Where others may fetch for this slot: put there by the turn, taken by the thread that fetches. */
    private final AtomicReference<@Nullable Cursor> cursor = new AtomicReference<>();

    /** Left by any thread, run by the next turn. */
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();

    // Only the turn touches these.
    private int failures;
    private boolean skipping;
    private long drainUntilNanos;
    private long lastTurnNanos;

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
     * @param isHeld whether nobody else can have the slot
     * @param mayBegin whether new deliveries may begin: not when somebody else might soon have the slot
     * @param past what became of the owners before
     */
    public record Tenure(
            PartitionOwnership hold,
            ClusterLayout terms,
            BooleanSupplier isHeld,
            BooleanSupplier mayBegin,
            Claimer claimer,
            OutcomeHandler.Fenced fenced,
            Suspects.Past past) {}

    /**
     * What a slot loop has of its node.
     *
     * @param waker asks for a turn
     * @param ended told once the slot is drained or lost
     * @param holdsBegun the number of the latest look at the holds that was begun
     * @param trial the one of the node
     * @param clock by which events grow old
     */
    public record Surroundings(
            Runnable waker, Runnable ended, LongSupplier holdsBegun, Trial trial, StoreClock clock) {}

    public DeliveryLoop(Tenure tenure, Surroundings node, RelayContext around, LaneLimits limits) {
        this.tenure = tenure;
        this.node = node;
        this.intake = tenure.claimer();
        this.pacing = around.pacing();
        this.lanes = new Lanes(limits, this::route, around.router().routes());
        this.parts = new LoopContext(tenure.hold(), around, intake, lanes, node.trial(), node.clock());
        this.pressure = new MemoryPressure(lanes, pacing);
        this.holds = new PartitionPauses(parts, node.holdsBegun());
        this.deliverer = new Deliverer(tenure.hold().partition(), around.time(), this::canWait, node.waker());
        this.settling = new OutcomeHandler(parts, holds, tenure.fenced());
        this.suspects = new Suspects(parts, tenure.fenced().store(), settling, tenure.past(), node.waker());
        this.delivery = new LaneDelivery(parts, suspects, holds, deliverer, node.waker());
        this.position = intake.position(lanes);
    }

    // A router that fails is one that has no way for the event: it waits, and nothing is lost.
    private List<Route> route(OutboxEvent event) {
        try {
            return parts.around().router().route(event);
        } catch (RuntimeException | LinkageError | StackOverflowError e) { // An Error of the router is no other's.
            tell(new RelayEvent.PartFailed("the router", "event " + event.eventId() + ": " + ErrorText.of(e), e));
            return List.of();
        }
    }

    // ---- for other threads ---------------------------------------------------------------------------------------

    public PartitionOwnership hold() {
        return tenure.hold();
    }

    @Override
    public void wake() {
        intake.wake();
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
            if (!isWorking() || holds.holdsSlot()) {
                intake.wake(); // What is seen now would be out of date when it may go on.
            } else {
                claimed(intake.accept(lanes, by, page));
            }
        });
    }

    @Override
    public void cameDue(List<Integer> laneIds) {
        // Some may be another slot's by now: the peek was begun before the partitions were counted anew.
        command(() -> laneIds.stream()
                .filter(intake::owns)
                .forEach(lane ->
                        lanes.waiting().cameDue(lane, parts.around().time().nanoTime())));
    }

    @Override
    public boolean owns(int lane) {
        return intake.owns(lane);
    }

    @Override
    public ClusterLayout terms() {
        return tenure.terms();
    }

    /** The routes have changed. */
    public void rerouted() {
        command(() -> {
            lanes.rerouted(parts.around().router().routes());
            intake.wake();
        });
    }

    public void apply(Pauses latest) {
        command(() -> holds.apply(latest));
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
        return settling.delivered();
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
            Duration rest = turn();
            failures = 0;
            return rest;
        } catch (RuntimeException e) {
            tell(new RelayEvent.PartFailed("slot " + parts.slot(), ErrorText.of(e), e));
            return min(pacing.failureRestMax(), pacing.failureRest().multipliedBy(1L << Math.min(failures++, 10)));
        } finally {
            eventsInMemory = lanes.events();
            full = full(full);
            tellOfSkipped();
            fetchesUnprompted = intake.fetchesUnprompted();
            cursor.set(isWorking() && failures == 0 && !holds.holdsSlot() ? intake.cursor(lanes) : null);
        }
    }

    private Duration turn() {
        if (!isHeld()) {
            return pacing.loopRestMax();
        }
        Duration gathering = pacing.gather().minusNanos(parts.now() - lastTurnNanos);
        if (deliverer.underWay() >= pacing.gatherFrom() && commands.isEmpty() && gathering.isPositive()) {
            return gathering;
        }
        lastTurnNanos = parts.now();
        answersCanWait = false; // Before they are collected: one that comes later and can wait is seen to by the rest.
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        if (end != null) {
            return pacing.loopRestMax();
        }
        intake.keep(lanes);
        collect();
        settling.letAddressesGo();
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
        if (!holds.holdsSlot()) {
            claim();
            deliver();
        }
        position = intake.position(lanes);
        return rest();
    }

    private void deliver() {
        if (!draining && !holds.holdsSlot()) {
            delivery.deliver(tenure.mayBegin());
            giveUp();
        }
        if (suspects.isFenced()) {
            lost("another node has taken it over");
        }
    }

    private void giveUp() {
        for (Route route : lanes.readyRoutes()) {
            DestinationGate gate = parts.around().gates().of(route);
            if (gate != null && gate.isDown()) {
                settling.giveUp(route, gate);
            }
        }
    }

    // One answer that cannot be dealt with must not take the others with it: they come only once.
    private void collect() {
        RuntimeException first = null;
        for (DeliveryResult completion : deliverer.completed()) {
            try {
                suspects.answered(completion);
                settling.completed(completion);
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
                && !LaneEvent.of(answer).goesOn();
    }

    // All that is in memory is under way or waits to be settled, and nobody waits for that: then answers change nothing
    // before the next batch is settled, and need no turn of their own.
    private boolean isUnhurried() {
        return deliverer.underWay() > 0
                && lanes.events() == deliverer.underWay() + settling.waiting()
                && lanes.passedLanes().isEmpty()
                && !settling.hasAcknowledgements()
                && !intake.isHungry(lanes)
                && settling.untilRested().isPositive();
    }

    private boolean isIdle() {
        return lanes.events() == 0 && !intake.fetchesUnprompted() && !lanes.hasLookUps();
    }

    private boolean isHeld() {
        boolean held = tenure.isHeld().getAsBoolean();
        if (!held) {
            lost("its lease could not be renewed in time");
        }
        return held;
    }

    private void settle() {
        while (end == null && settling.waiting() > 0 && untilSettled().isZero() && isHeld()) {
            if (!settling.settle()) {
                lost("another node has taken it over");
            }
        }
    }

    // When nothing more is to come, there is nothing to wait for. But in a steady flow that is so after each event, and
    // each would have a commit of its own: so it counts after a rest, or when somebody waits for room or for a key.
    private Duration untilSettled() {
        if (draining || settling.hasAcknowledgements()) {
            return Duration.ZERO;
        }
        if (!deliverer.isIdle() || !lanes.readyRoutes().isEmpty()) {
            return settling.untilDue();
        }
        boolean atOnce =
                settling.waiting() >= pacing.settleAtOnce() || intake.isHungry(lanes) || settling.isWaitedFor();
        return atOnce ? Duration.ZERO : min(settling.untilDue(), settling.untilRested());
    }

    private void claim() {
        for (int lane : lanes.waiting().unpark(parts.now())) {
            tell(new RelayEvent.Unparked(parts.slot(), lane));
        }
        pressure.relieve(intake.isHungry(lanes), parts.now());
        if (lanes.waiting().takeBack(parts.now())) {
            intake.beginAnew();
        }
        claimed(intake.fill(lanes, pressure.standsStill(parts.now())));
    }

    // All passed lanes are counted only when they have become too many, and not again while they are.
    private RelayEvent.@Nullable LanesFull full(RelayEvent.@Nullable LanesFull before) {
        if (before != null || !lanes.waiting().isFull()) {
            return lanes.waiting().isFull() ? before : null;
        }
        int count = lanes.waiting().lanesWaiting();
        String waitFor =
                settling.mostAwaitedAddress().or(lanes.waiting()::passedWaitFor).orElse(null);
        RelayEvent.LanesFull now = new RelayEvent.LanesFull(parts.slot(), count, waitFor);
        tell(now);
        return now;
    }

    private void tellOfSkipped() {
        boolean before = skipping;
        skipping = lanes.waiting().hasSkipped();
        if (skipping && !before) {
            tell(new RelayEvent.LanesSkipped(parts.slot(), lanes.passedLanes().size()));
        }
    }

    private void claimed(int events) {
        if (events > 0) {
            tell(new RelayEvent.Claimed(parts.slot(), events));
        }
    }

    private Duration rest() {
        boolean more = !holds.holdsSlot() && intake.isReady(lanes);
        if (more || deliverer.hasCompletions() || !commands.isEmpty()) {
            return Duration.ZERO;
        }
        Duration rest = min(pacing.loopRestMax(), deliverer.nextDeadline());
        if (settling.waiting() > 0) {
            rest = min(rest, untilSettled());
        }
        if (isUnhurried()) {
            answersCanWait = true;
            rest = min(rest, settling.untilRested());
        }
        if (holds.holdsSlot()) {
            return rest; // Nothing that comes due is taken up before it is resumed.
        }
        rest = min(rest, settling.untilAddressProbe());
        OptionalLong unpark = lanes.waiting().nextUnparkNanos();
        if (unpark.isPresent()) {
            rest = min(rest, Duration.ofNanos(Math.max(0, unpark.getAsLong() - parts.now())));
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
                    parts.now() + parts.around().config().cluster().drain().toNanos();
            intake.giveBack(lanes);
        }
    }

    private Duration drain() {
        boolean timeIsOver = parts.now() - drainUntilNanos >= 0;
        if (timeIsOver || (deliverer.isIdle() && settling.waiting() == 0)) {
            int abandoned = deliverer.abandon();
            tell(new RelayEvent.PartitionReleased(parts.slot(), hold().epoch(), abandoned));
            end = End.DRAINED;
            suspects.end();
            node.ended().run();
            return pacing.loopRestMax();
        }
        return min(Duration.ofNanos(drainUntilNanos - parts.now()), deliverer.nextDeadline());
    }

    private void lost(String reason) {
        if (end == null) {
            int abandoned = deliverer.abandon();
            end = End.LOST;
            suspects.end();
            tell(new RelayEvent.PartitionLost(parts.slot(), hold().epoch(), reason, abandoned));
            node.ended().run();
        }
    }

    private void tell(RelayEvent event) {
        parts.around().listener().on(event);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
