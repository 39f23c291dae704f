package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.model.OutboxEvent;
import outbox.model.Outcome;
import outbox.relay.internal.claim.Cursor;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.claim.FetchingLoop;
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
 * Claims, orders, delivers and settles the events of one partition. The one class that knows all stages.
 *
 * <p>{@link #runOnce} is one iteration: it collects the answers that have come, starts what may be delivered, settles what is
 * due, fetches what fits, and starts what may be delivered by then. Only deliveries continue between iterations. Iterations
 * of one loop never overlap, so the stages need no locks; other threads leave {@link #commands} or answers, and wake.
 *
 * <p>The loop settles before it fetches, so a page never shows as pending what the loop has just settled. A page that was
 * {@linkplain Fetcher prefetched} counts only if nothing was settled since.
 *
 * <pre>
 *   working ── revoke ──► draining ── all is settled, or the time is over ──► over (drained: to be released)
 *      │                     │
 *      └── fenced, or the lease is over ──────────────────────────────────► over (lost: nothing more is written)
 * </pre>
 */
public final class DeliveryLoop implements LoopScheduler.Loop, FetchingLoop {

    /** While more commands wait, the peek does not name further lanes that are due. */
    private static final int COMMANDS_MAX = 10;

    /** How a loop has ended. */
    public enum End {
        DRAINED,
        LOST
    }

    private final LoopContext context;
    private final Pacing pacing;
    private final Lanes lanes;
    private final Claimer claimer;
    private final PartitionPauses pauses;
    private final AddressPauses addressPauses;
    private final Deliverer deliverer;
    private final LaneDelivery delivery;
    private final PendingSettlements settlements;
    private final OutcomeHandler outcomes;
    private final Suspects suspects;
    private final MemoryPressure pressure;

    /** Where another thread may fetch for this loop: set by the iteration, taken by the thread that fetches. */
    private final AtomicReference<@Nullable Cursor> cursor = new AtomicReference<>();

    /** Left by any thread, run by the next iteration. */
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();

    // Only the iteration uses these.
    private int failures;
    private long drainUntilNanos;
    private long lastIterationNanos;

    // Written by the iteration, read by any thread.
    private volatile boolean draining;
    private volatile @Nullable End end;
    private volatile PeekRequest.Position position;
    private volatile int eventsInMemory;
    private volatile boolean fetchesUnprompted = true;
    private volatile boolean answersCanWait;

    public DeliveryLoop(LoopOwner owner, LoopNode node, RelayContext relay, LaneLimits limits) {
        this.claimer = owner.claimer();
        this.pacing = relay.pacing();
        this.lanes = new Lanes(limits, this::route, relay.router().routes());
        this.context = new LoopContext(owner, node, relay, lanes);
        this.pauses = new PartitionPauses(context);
        this.addressPauses = new AddressPauses(relay.gates(), lanes.waiting(), relay.time(), pacing);
        this.pressure = new MemoryPressure(context, addressPauses);
        this.deliverer = new Deliverer(context.partition(), relay.time(), this::canWait, node.waker());
        this.settlements = new PendingSettlements(context, pauses, deliverer);
        this.outcomes = new OutcomeHandler(context, pauses, addressPauses, settlements);
        this.suspects = new Suspects(context, outcomes);
        this.delivery = new LaneDelivery(context, suspects, pauses, deliverer);
        this.position = claimer.position(lanes);
    }

    // If the router fails, the event has no route for now: it waits, and nothing is lost.
    private List<Route> route(OutboxEvent event) {
        try {
            return context.relay().router().route(event);
        } catch (RuntimeException | LinkageError | StackOverflowError e) { // Other errors are not the router's.
            context.publish(
                    new RelayEvent.PartFailed("the router", "event " + event.eventId() + ": " + ErrorText.of(e), e));
            return List.of();
        }
    }

    // ---- for other threads ---------------------------------------------------------------------------------------

    public PartitionOwnership ownership() {
        return context.owner().ownership();
    }

    @Override
    public ClusterLayout terms() {
        return context.owner().layout();
    }

    @Override
    public boolean owns(int lane) {
        return claimer.owns(lane);
    }

    @Override
    public void wake() {
        claimer.wake();
        context.node().waker().run();
    }

    @Override
    public @Nullable Cursor takeCursor() {
        return cursor.getAndSet(null);
    }

    @Override
    public void fetchedNothing(Cursor by) {
        cursor.compareAndSet(null, by); // Unless an iteration has set another meanwhile.
    }

    @Override
    public void fetched(Cursor by, PartitionPage page) {
        command(() -> {
            if (!isWorking() || pauses.isPaused()) {
                claimer.wake(); // The page would be out of date when the loop continues.
            } else {
                publishClaimed(claimer.accept(lanes, by, page));
            }
        });
    }

    @Override
    public void cameDue(List<Integer> laneIds) {
        // Some may belong to another partition: the table may have been repartitioned since the peek began.
        command(() -> laneIds.stream()
                .filter(claimer::owns)
                .forEach(lane -> lanes.waiting().cameDue(lane, context.now())));
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

    /** Asks the loop to finish what is in flight and begin nothing new. */
    public void revoke() {
        if (!draining) {
            command(this::beginToDrain);
        }
    }

    /** Another node owns the partition: nothing more may be delivered or written. */
    public void lose(String reason) {
        command(() -> lost(reason));
    }

    private void command(Runnable command) {
        commands.add(command);
        context.node().waker().run();
    }

    /** How the loop has ended; null while it has not. */
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
        return full() == null && commands.size() < COMMANDS_MAX;
    }

    /** Why nothing new is fetched; null while something may be. */
    public RelayEvent.@Nullable LanesFull full() {
        return pressure.lanesFull();
    }

    public int eventsInMemory() {
        return eventsInMemory;
    }

    @Override
    public boolean fetchesUnprompted() {
        return fetchesUnprompted;
    }

    // ---- the iteration -------------------------------------------------------------------------------------------

    /** One iteration. Tests call it; production repeats it after the returned time, or sooner when it is woken. */
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
            context.publish(new RelayEvent.PartFailed("partition " + context.partition(), ErrorText.of(e), e));
            return min(pacing.failureRestMax(), pacing.failureRest().multipliedBy(1L << Math.min(failures++, 10)));
        } finally {
            eventsInMemory = lanes.memory().events();
            pressure.publish();
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
        answersCanWait = false; // Before they are collected: what comes later is found when the rest is computed.
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        if (end != null) {
            return pacing.loopRestMax();
        }
        claimer.maintain(lanes);
        collect();
        addressPauses.release();
        if (failures == 0) {
            deliver(); // Before anything is written, which takes as long as the disk; but not while writing fails.
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

    private boolean isOwned() {
        boolean owned = context.owner().isOwned().getAsBoolean();
        if (!owned) {
            lost("its lease could not be renewed in time");
        }
        return owned;
    }

    // An answer that cannot be handled must not take the others with it: each comes only once.
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

    private void deliver() {
        if (!draining && !pauses.isPaused()) {
            delivery.deliver(context.owner().mayDeliver());
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

    private boolean isIdle() {
        return lanes.memory().events() == 0 && !claimer.fetchesUnprompted() && !lanes.hasLanesToFetch();
    }

    private void settle() {
        while (end == null
                && !settlements.isEmpty()
                && (draining || settlements.untilDue().isZero())
                && isOwned()) {
            if (!settlements.write()) {
                lost("another node has taken it over");
            }
        }
    }

    private void claim() {
        for (int lane : lanes.waiting().unpark(context.now())) {
            context.publish(new RelayEvent.Unparked(context.partition(), lane));
        }
        pressure.update();
        if (lanes.waiting().releaseOverflow(context.now())) {
            claimer.startOver();
        }
        publishClaimed(claimer.fill(lanes, pressure.isStuck()));
    }

    private void publishClaimed(int events) {
        if (events > 0) {
            context.publish(new RelayEvent.Claimed(context.partition(), events));
        }
    }

    // Any thread. Only a delivered event without another destination can wait.
    private boolean canWait(DeliveryResult answer) {
        return answersCanWait
                && answer.outcome() instanceof Outcome.Delivered
                && !LaneEvent.of(answer).hasNextRoute();
    }

    private Duration rest() {
        boolean more = !pauses.isPaused() && claimer.isReady(lanes);
        if (more || deliverer.hasResults() || !commands.isEmpty()) {
            return Duration.ZERO;
        }
        Duration rest = min(pacing.loopRestMax(), deliverer.nextDeadline());
        if (!settlements.isEmpty()) {
            rest = min(rest, settlements.untilDue());
        }
        Duration answersCanWaitFor = settlements.answersCanWaitFor();
        if (answersCanWaitFor.isPositive()) {
            answersCanWait = true;
            rest = min(rest, answersCanWaitFor);
        }
        if (pauses.isPaused()) {
            return rest; // What comes due is not taken up before the partition is resumed.
        }
        rest = min(rest, addressPauses.untilProbe());
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
        if (timeIsOver || (deliverer.isIdle() && settlements.isEmpty())) {
            int abandoned = end(End.DRAINED);
            context.publish(new RelayEvent.PartitionReleased(
                    context.partition(), ownership().epoch(), abandoned));
            context.node().ended().run();
            return pacing.loopRestMax();
        }
        return min(Duration.ofNanos(drainUntilNanos - context.now()), deliverer.nextDeadline());
    }

    private void lost(String reason) {
        if (end == null) {
            int abandoned = end(End.LOST);
            context.publish(new RelayEvent.PartitionLost(
                    context.partition(), ownership().epoch(), reason, abandoned));
            context.node().ended().run();
        }
    }

    private int end(End how) {
        int abandoned = deliverer.abandon();
        end = how;
        suspects.end();
        return abandoned;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
