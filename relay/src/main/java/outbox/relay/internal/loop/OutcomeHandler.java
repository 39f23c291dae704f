package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import outbox.internal.SettleRule;
import outbox.model.Outcome;
import outbox.model.Settlement;
import outbox.relay.SettleConfig;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.model.Consequence;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.Lanes;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Route;
import outbox.spi.SettleItem;

/** Decides what follows from the outcome of a delivery: for the event by the settle rule, and for its lane. */
final class OutcomeHandler {

    private final LoopContext context;
    private final Lanes lanes;
    private final PartitionPauses pauses;
    private final AddressPauses addressPauses;
    private final PendingSettlements settlements;
    private final SettleConfig config;
    private final SettleRule rule;
    private final CallFailures callFailures = new CallFailures();
    private final OutcomeEvents events;

    OutcomeHandler(
            LoopContext context, PartitionPauses pauses, AddressPauses addressPauses, PendingSettlements settlements) {
        this.context = context;
        this.lanes = context.lanes();
        this.pauses = pauses;
        this.addressPauses = addressPauses;
        this.settlements = settlements;
        this.config = context.relay().config().settle();
        this.rule =
                new SettleRule(config.retryPolicy(), config.maxAttempts(), config.giveUpAfter(), config.deathsMax());
        this.events = new OutcomeEvents(context);
    }

    long delivered() {
        return events.delivered();
    }

    void completed(DeliveryResult result) {
        if (!result.isAttempted() || !callFailures.keep(result)) {
            decide(result);
        }
        CallFailures.Decided decided = callFailures.decide(LaneEvent.of(result));
        decided.failed().forEach(this::decide);
        decided.behind().forEach(behind -> lanes.putBack(LaneEvent.of(behind)));
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
        events.publish(settlement, event, result);
        settlements.add(
                event,
                new SettleItem(settlement, attempts, result.destination(), pausesKey, event.fansOut()),
                result.atNanos());
    }

    // Not attempted: it keeps its place, and its lane waits until the reason is gone.
    private void returned(LaneEvent event, DeliveryResult result) {
        lanes.putBack(event);
        switch (result.consequence()) {
            case Consequence.Attempted attempted -> throw new IllegalStateException("settle decides about it");
            case Consequence.Returned atOnce -> {}
            case Consequence.Paused paused ->
                lanes.waiting()
                        .park(event.laneId(), context.now() + paused.pause().toNanos());
            case Consequence.AwaitsAddress awaits ->
                addressPauses.add(result.destination(), awaits.address(), event.laneId(), rule.untilTooOld(age(event)));
        }
    }

    // Its attempt at the next destination may begin before the acknowledgement is written; what is fetched again may
    // not.
    private void forwardToNext(LaneEvent event) {
        Route taken = event.route();
        settlements.acknowledge(event, taken.target());
        context.publish(new RelayEvent.Acknowledged(event.event().eventId(), taken.destination()));
        lanes.forwardToNext(event);
    }

    // A failure blocks its lane until it is written, a dead event too: after a crash it would not be dead.
    private void orderBy(Settlement settlement, LaneEvent event, boolean pausesKey) {
        if (pausesKey) {
            pauses.pausesKey(event.laneId());
            lanes.pausedByDead(event, "dead event " + event.event().eventId());
        } else if (settlement instanceof Settlement.Done || !context.claimer().keepsOrder()) {
            lanes.finished(event);
        } else {
            lanes.failed(event);
        }
    }

    private static OptionalInt ownMaxAttempts(LaneEvent event) {
        Integer own = event.event().maxAttempts();
        return own == null ? OptionalInt.empty() : OptionalInt.of(own);
    }

    private @Nullable String keyToPause(LaneEvent event) {
        boolean pausesKey = config.onDeadEvent() == SettleConfig.OnDeadEvent.PAUSE_KEY
                && context.claimer().keepsOrder();
        return pausesKey ? event.event().orderingKey() : null;
    }

    // ---- deaths --------------------------------------------------------------------------------------------------

    /** Whether an event is dead because too many nodes in a row have ended with it. */
    boolean isDead(LaneEvent event) {
        return rule.afterDeaths(event.event().deaths()).isPresent();
    }

    /** Settles such an event without an attempt. */
    void settleDead(LaneEvent event, String destination) {
        Outcome outcome = rule.afterDeaths(event.event().deaths()).orElseThrow();
        decide(new DeliveryResult(event, destination, outcome, Consequence.ATTEMPTED, context.now()));
    }

    // ---- give up -------------------------------------------------------------------------------------------------

    /** Gives up the events of a route that are too old, although its destination is down and nothing is attempted. */
    void giveUp(Route route, DestinationGate gate) {
        if (rule.giveUpAfter() == null) {
            return;
        }
        String error = Objects.requireNonNullElse(gate.status().lastError(), "the destination is unavailable");
        Outcome outcome = new Outcome.Unavailable(error, Outcome.Unavailable.Scope.DESTINATION);
        for (LaneEvent event : lanes.takeIf(route, this::isTooOld)) {
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

    // The store's time is asked for only where it matters, which is seldom.
    private Duration age(LaneEvent event) {
        return rule.giveUpAfter() == null
                ? Duration.ZERO
                : context.node().clock().since(event.event().waitsSince());
    }
}
