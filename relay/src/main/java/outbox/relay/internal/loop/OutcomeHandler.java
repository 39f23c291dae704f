package outbox.relay.internal.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import outbox.internal.SettleRule;
import outbox.model.Outcome;
import outbox.model.Settlement;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.model.Consequence;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.settle.Settler;
import outbox.relay.observe.HotKeyDetector;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Route;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.relay.PartitionStore;

/** The way back of an event: from its outcome through the rule and its lane to what is written. */
public final class OutcomeHandler {

    private final LoopContext context;
    private final PartitionPauses pauses;
    private final SettleRule rule;
    private final Settler settler;
    /** The events whose settlements wait to be written, in the settler's order. */
    private final ArrayDeque<LaneEvent> unwritten = new ArrayDeque<>();

    private final HotKeyDetector hotKeys;
    private final CallFailures callFailures = new CallFailures();
    private final AddressPauses addressPauses;
    private final AtomicLong delivered = new AtomicLong(); // counted by the turn, read by others

    /** Where settlements are written, and what fences them. */
    public record Fenced(PartitionStore store, SettleRequest.Fence fence) {}

    public OutcomeHandler(LoopContext context, PartitionPauses pauses, Fenced fenced) {
        this.context = context;
        this.pauses = pauses;
        RelayConfig config = context.relay().config();
        SettleConfig settle = config.settle();
        this.rule =
                new SettleRule(settle.retryPolicy(), settle.maxAttempts(), settle.giveUpAfter(), settle.deathsMax());
        this.settler = new Settler(
                fenced.store(),
                fenced.fence(),
                config.cluster().nodeId(),
                settle,
                context.relay().pacing(),
                context.relay().time());
        this.hotKeys = new HotKeyDetector(context.partition(), context.relay().listener());
        this.addressPauses = new AddressPauses(
                context.relay().gates(),
                context.lanes().waiting(),
                context.relay().time(),
                context.relay().pacing());
    }

    /** Whether something is acknowledged that is not written: it is to be written before anything is read. */
    public boolean hasAcknowledgements() {
        return settler.hasAcknowledgements();
    }

    public int waiting() {
        return settler.waiting();
    }

    public Duration untilRested() {
        return settler.untilRested();
    }

    /** Whether a key goes on only when something is written that waits. */
    public boolean blocksKey() {
        return unwritten.stream().anyMatch(LaneEvent::blocksKey);
    }

    public Duration untilDue() {
        return settler.untilDue();
    }

    public long delivered() {
        return delivered.get();
    }

    // ---- decide --------------------------------------------------------------------------------------------------

    public void completed(DeliveryResult result) {
        if (!result.isAttempted() || !callFailures.keep(result)) {
            decide(result);
        }
        CallFailures.Decided decided = callFailures.decide(LaneEvent.of(result));
        decided.failed().forEach(this::decide);
        decided.behind().forEach(behind -> context.lanes().putBack(LaneEvent.of(behind)));
    }

    private void decide(DeliveryResult result) {
        LaneEvent event = LaneEvent.of(result);
        if (!result.isAttempted() && !isGivenUp(event, result.outcome())) {
            returned(event, result);
            return;
        }
        if (result.outcome() instanceof Outcome.Delivered && event.hasNextRoute()) {
            forwardToNext(event);
            return;
        }
        int attempts = event.event().attempts();
        Settlement settlement = rule.decide(
                context.claimer().claimOf(event), result.outcome(), attempts, ownMaxAttempts(event), age(event));
        String pausesKey = settlement instanceof Settlement.Dead ? keyToPause(event) : null;
        orderBy(settlement, event, pausesKey != null);
        publish(settlement, event, result);
        SettleItem item = new SettleItem(settlement, attempts, result.destination(), pausesKey, event.fansOut());
        unwritten.add(event);
        settler.add(item, result.atNanos());
    }

    // Not attempted: it keeps its place, and its lane waits as long as what keeps it back.
    private void returned(LaneEvent event, DeliveryResult result) {
        context.lanes().putBack(event);
        switch (result.consequence()) {
            case Consequence.Attempted attempted -> throw new IllegalStateException("settle decides about it");
            case Consequence.Returned atOnce -> {}
            case Consequence.Paused paused ->
                context.lanes()
                        .waiting()
                        .park(event.laneId(), context.now() + paused.pause().toNanos());
            case Consequence.AwaitsAddress awaits ->
                addressPauses.add(result.destination(), awaits.address(), event.laneId(), rule.untilTooOld(age(event)));
        }
    }

    /** Lets lanes go on whose address may be probed, or is available again. */
    public void releaseAddresses() {
        addressPauses.release();
    }

    public Optional<String> mostAwaitedAddress() {
        return addressPauses.mostAwaited();
    }

    /** How long until an address is to be probed. */
    public Duration untilAddressProbe() {
        return addressPauses.untilProbe();
    }

    // ---- deaths ----------------------------------------------------------------------------------------------------

    /** Whether an event is dead because too many nodes in a row have ended with it. */
    public boolean isDead(LaneEvent event) {
        return rule.afterDeaths(event.event().deaths()).isPresent();
    }

    /** Settles such an event instead of having it delivered. */
    public void settleDead(LaneEvent event, String destination) {
        Outcome outcome = rule.afterDeaths(event.event().deaths()).orElseThrow();
        decide(new DeliveryResult(event, destination, outcome, Consequence.ATTEMPTED, context.now()));
    }

    // ---- give up ---------------------------------------------------------------------------------------------------

    /** Gives up the events of a route that are too old, although its destination is down and nothing is attempted. */
    public void giveUp(Route route, DestinationGate gate) {
        if (rule.giveUpAfter() == null) {
            return;
        }
        String error = Objects.requireNonNullElse(gate.status().lastError(), "the destination is unavailable");
        Outcome outcome = new Outcome.Unavailable(error, Outcome.Unavailable.Scope.DESTINATION);
        for (LaneEvent event : context.lanes().takeIf(route, this::isTooOld)) {
            decide(new DeliveryResult(event, gate.name(), outcome, Consequence.RETURNED, context.now()));
        }
    }

    private boolean isGivenUp(LaneEvent event, Outcome outcome) {
        boolean retriedAtOnce = outcome instanceof Outcome.Unavailable unavailable
                && unavailable.scope() == Outcome.Unavailable.Scope.CALL;
        return !retriedAtOnce && isTooOld(event);
    }

    private boolean isTooOld(LaneEvent event) {
        return rule.untilTooOld(age(event)).filter(Duration::isZero).isPresent();
    }

    // The time is asked for where it matters, which is seldom.
    private Duration age(LaneEvent event) {
        return rule.giveUpAfter() == null
                ? Duration.ZERO
                : context.clock().since(event.event().waitsSince());
    }

    // Its next attempt, at the next destination, may begin before that is written; what is read again may not.
    private void forwardToNext(LaneEvent event) {
        Route taken = event.route();
        settler.acknowledge(new Acknowledgement(context.claimer().claimOf(event), taken.target()));
        publish(new RelayEvent.Acknowledged(event.event().eventId(), taken.destination()));
        context.lanes().forwardToNext(event);
    }

    // A failure keeps its lane until it is written, a dead event too: after a crash it would not be dead.
    private void orderBy(Settlement settlement, LaneEvent event, boolean pausesKey) {
        if (pausesKey) {
            pauses.pausesKey(event.laneId());
            context.lanes().pausedByDead(event, "dead event " + event.event().eventId());
        } else if (settlement instanceof Settlement.Done || !context.claimer().keepsOrder()) {
            context.lanes().finished(event);
        } else {
            context.lanes().failed(event);
        }
    }

    private static OptionalInt ownMaxAttempts(LaneEvent event) {
        Integer own = event.event().maxAttempts();
        return own == null ? OptionalInt.empty() : OptionalInt.of(own);
    }

    private @Nullable String keyToPause(LaneEvent event) {
        boolean pausesKey = context.relay().config().settle().deadKey() == SettleConfig.DeadKey.HALT
                && context.claimer().keepsOrder();
        return pausesKey ? event.event().orderingKey() : null;
    }

    private void publish(Settlement settlement, LaneEvent event, DeliveryResult result) {
        String destination = result.destination();
        String id = event.event().eventId();
        int attempt = event.event().attempts() + 1;
        switch (settlement) {
            case Settlement.Done done -> publishDone(event, result);
            case Settlement.Retry retry ->
                publish(new RelayEvent.AttemptFailed(id, destination, attempt, retry.error(), retry.delay()));
            case Settlement.Postponed postponed ->
                publish(new RelayEvent.Postponed(id, destination, postponed.error(), postponed.delay()));
            case Settlement.Dead dead -> publish(new RelayEvent.Died(id, destination, attempt, dead.error()));
        }
    }

    private void publishDone(LaneEvent event, DeliveryResult result) {
        String reason = event.route().dropReason();
        if (reason != null) {
            publish(new RelayEvent.Dropped(
                    event.event().eventId(), event.route().name(), reason));
            return;
        }
        Instant arrived = context.relay().time().instant().minusNanos(context.now() - result.atNanos());
        Duration latency = Duration.between(event.event().createdAt(), arrived);
        publish(new RelayEvent.Delivered(context.partition(), result.destination(), plausible(latency)));
        delivered.incrementAndGet();
        hotKeys.count(Objects.requireNonNullElse(
                event.event().orderingKey(), event.event().eventId()));
    }

    // Another program may have written any time as that of its event's creation; whoever counts in nanoseconds cannot
    // count that far.
    private static Duration plausible(Duration latency) {
        if (latency.isNegative()) {
            return Duration.ZERO;
        }
        Duration century = Duration.ofDays(36_500);
        return latency.compareTo(century) > 0 ? century : latency;
    }

    private void publish(RelayEvent event) {
        context.relay().listener().on(event);
    }

    // ---- write ---------------------------------------------------------------------------------------------------

    /** Writes a batch; false when it was fenced, and nothing was written. */
    public boolean settle() {
        long begun = context.now();
        Settler.Written written = settler.settle();
        int batch = written.items().size();
        List<LaneEvent> events = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++) {
            events.add(unwritten.removeFirst());
        }
        if (written.isFenced()) {
            publish(new RelayEvent.Fenced(context.partition(), batch));
            return false;
        }
        settled(events, written.items(), Duration.ofNanos(context.now() - begun));
        if (written.lost() > 0 && !context.claimer().keepsOrder()) {
            publish(new RelayEvent.Fenced(context.partition(), written.lost()));
        }
        return true;
    }

    private void settled(List<LaneEvent> events, List<SettleItem> items, Duration took) {
        int done = 0;
        int retry = 0;
        int dead = 0;
        for (int i = 0; i < events.size(); i++) {
            LaneEvent event = events.get(i);
            SettleItem item = items.get(i);
            switch (item.settlement()) {
                case Settlement.Done one -> {
                    done++;
                    context.lanes().settled(event);
                }
                case Settlement.Retry one -> {
                    retry++;
                    settledForRetry(event, one.delay());
                }
                case Settlement.Postponed one -> {
                    retry++;
                    settledForRetry(event, one.delay());
                }
                case Settlement.Dead one -> {
                    dead++;
                    settledDead(event, item.pausesKey() != null);
                }
            }
        }
        context.claimer().settled(events);
        publish(new RelayEvent.Settled(context.partition(), done, retry, dead, took));
    }

    private void settledForRetry(LaneEvent event, Duration delay) {
        if (context.claimer().keepsOrder()) {
            context.lanes().settledFailure(event, context.now() + delay.toNanos());
            publish(new RelayEvent.Parked(context.partition(), event.laneId(), "retry in " + delay));
        } else {
            context.lanes().settled(event);
        }
    }

    private void settledDead(LaneEvent event, boolean pausesKey) {
        if (pausesKey) {
            pauses.keyPausePersisted(event.laneId());
        }
        if (pausesKey || !context.claimer().keepsOrder()) {
            context.lanes().settled(event);
        } else {
            context.lanes()
                    .settledFailure(event, context.now()); // Nothing to wait for: its lane is read again at once.
        }
    }
}
