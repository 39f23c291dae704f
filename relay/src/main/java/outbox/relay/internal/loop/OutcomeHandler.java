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

    private final LoopContext parts;
    private final PartitionPauses holds;
    private final SettleRule rule;
    private final Settler settler;
    /** The events whose settlements wait to be written, in the settler's order. */
    private final ArrayDeque<LaneEvent> unwritten = new ArrayDeque<>();

    private final HotKeyDetector hotSpots;
    private final CallFailures companions = new CallFailures();
    private final AddressPauses addressPauses;
    private final AtomicLong delivered = new AtomicLong(); // counted by the turn, read by others

    /** Where settlements are written, and what fences them. */
    public record Fenced(PartitionStore store, SettleRequest.Fence fence) {}

    public OutcomeHandler(LoopContext parts, PartitionPauses holds, Fenced fenced) {
        this.parts = parts;
        this.holds = holds;
        RelayConfig config = parts.around().config();
        SettleConfig settle = config.settle();
        this.rule =
                new SettleRule(settle.retryPolicy(), settle.maxAttempts(), settle.giveUpAfter(), settle.deathsMax());
        this.settler = new Settler(
                fenced.store(),
                fenced.fence(),
                config.cluster().nodeId(),
                settle,
                parts.around().pacing(),
                parts.around().time());
        this.hotSpots = new HotKeyDetector(parts.slot(), parts.around().listener());
        this.addressPauses = new AddressPauses(
                parts.around().gates(),
                parts.lanes().waiting(),
                parts.around().time(),
                parts.around().pacing());
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
    public boolean isWaitedFor() {
        return unwritten.stream().anyMatch(LaneEvent::isWaitedFor);
    }

    public Duration untilDue() {
        return settler.untilDue();
    }

    public long delivered() {
        return delivered.get();
    }

    // ---- decide --------------------------------------------------------------------------------------------------

    public void completed(DeliveryResult completion) {
        if (!completion.isAttempted() || !companions.keep(completion)) {
            decide(completion);
        }
        CallFailures.Decided decided = companions.decide(LaneEvent.of(completion));
        decided.failed().forEach(this::decide);
        decided.behind().forEach(behind -> parts.lanes().putBack(LaneEvent.of(behind)));
    }

    private void decide(DeliveryResult completion) {
        LaneEvent event = LaneEvent.of(completion);
        if (!completion.isAttempted() && !isGivenUp(event, completion.outcome())) {
            returned(event, completion);
            return;
        }
        if (completion.outcome() instanceof Outcome.Delivered && event.goesOn()) {
            passOn(event);
            return;
        }
        int attempts = event.event().attempts();
        Settlement settlement = rule.decide(
                parts.intake().claimOf(event), completion.outcome(), attempts, ownMaxAttempts(event), age(event));
        String pausesKey = settlement instanceof Settlement.Dead ? keyToHalt(event) : null;
        orderBy(settlement, event, pausesKey != null);
        tell(settlement, event, completion);
        SettleItem item = new SettleItem(settlement, attempts, completion.destination(), pausesKey, event.isPartly());
        unwritten.add(event);
        settler.add(item, completion.atNanos());
    }

    // Not attempted: it keeps its place, and its lane waits as long as what keeps it back.
    private void returned(LaneEvent event, DeliveryResult completion) {
        parts.lanes().putBack(event);
        switch (completion.consequence()) {
            case Consequence.Attempted attempted -> throw new IllegalStateException("settle decides about it");
            case Consequence.Returned atOnce -> {}
            case Consequence.Paused paused ->
                parts.lanes()
                        .waiting()
                        .park(event.laneId(), parts.now() + paused.pause().toNanos());
            case Consequence.AwaitsAddress awaits ->
                addressPauses.add(
                        completion.destination(), awaits.address(), event.laneId(), rule.untilTooOld(age(event)));
        }
    }

    /** Lets lanes go on whose address may be probed, or is available again. */
    public void letAddressesGo() {
        addressPauses.letGo();
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
        decide(new DeliveryResult(event, destination, outcome, Consequence.ATTEMPTED, parts.now()));
    }

    // ---- give up ---------------------------------------------------------------------------------------------------

    /** Gives up the events of a route that are too old, although its destination is down and nothing is attempted. */
    public void giveUp(Route route, DestinationGate gate) {
        if (rule.giveUpAfter() == null) {
            return;
        }
        String error = Objects.requireNonNullElse(gate.status().lastError(), "the destination is unavailable");
        Outcome outcome = new Outcome.Unavailable(error, Outcome.Unavailable.Scope.DESTINATION);
        for (LaneEvent event : parts.lanes().takeIf(route, this::isTooOld)) {
            decide(new DeliveryResult(event, gate.name(), outcome, Consequence.RETURNED, parts.now()));
        }
    }

    private boolean isGivenUp(LaneEvent event, Outcome outcome) {
        boolean goesAgainAtOnce = outcome instanceof Outcome.Unavailable unavailable
                && unavailable.scope() == Outcome.Unavailable.Scope.CALL;
        return !goesAgainAtOnce && isTooOld(event);
    }

    private boolean isTooOld(LaneEvent event) {
        return rule.untilTooOld(age(event)).filter(Duration::isZero).isPresent();
    }

    // The time is asked for where it matters, which is seldom.
    private Duration age(LaneEvent event) {
        return rule.giveUpAfter() == null
                ? Duration.ZERO
                : parts.clock().since(event.event().waitsSince());
    }

    // Its next attempt, at the next destination, may begin before that is written; what is read again may not.
    private void passOn(LaneEvent event) {
        Route taken = event.route();
        settler.acknowledge(new Acknowledgement(parts.intake().claimOf(event), taken.target()));
        tell(new RelayEvent.Acknowledged(event.event().eventId(), taken.destination()));
        parts.lanes().passOn(event);
    }

    // A failure keeps its lane until it is written, a dead event too: after a crash it would not be dead.
    private void orderBy(Settlement settlement, LaneEvent event, boolean halts) {
        if (halts) {
            holds.halts(event.laneId());
            parts.lanes().halted(event, "dead event " + event.event().eventId());
        } else if (settlement instanceof Settlement.Done || !parts.intake().keepsOrder()) {
            parts.lanes().finished(event);
        } else {
            parts.lanes().failed(event);
        }
    }

    private static OptionalInt ownMaxAttempts(LaneEvent event) {
        Integer own = event.event().maxAttempts();
        return own == null ? OptionalInt.empty() : OptionalInt.of(own);
    }

    private @Nullable String keyToHalt(LaneEvent event) {
        boolean halts = parts.around().config().settle().deadKey() == SettleConfig.DeadKey.HALT
                && parts.intake().keepsOrder();
        return halts ? event.event().orderingKey() : null;
    }

    private void tell(Settlement settlement, LaneEvent event, DeliveryResult completion) {
        String destination = completion.destination();
        String id = event.event().eventId();
        int attempt = event.event().attempts() + 1;
        switch (settlement) {
            case Settlement.Done done -> tellDone(event, completion);
            case Settlement.Retry retry ->
                tell(new RelayEvent.AttemptFailed(id, destination, attempt, retry.error(), retry.delay()));
            case Settlement.Postponed postponed ->
                tell(new RelayEvent.Postponed(id, destination, postponed.error(), postponed.delay()));
            case Settlement.Dead dead -> tell(new RelayEvent.Died(id, destination, attempt, dead.error()));
        }
    }

    private void tellDone(LaneEvent event, DeliveryResult completion) {
        String reason = event.route().dropReason();
        if (reason != null) {
            tell(new RelayEvent.Dropped(event.event().eventId(), event.route().name(), reason));
            return;
        }
        Instant arrived = parts.around().time().instant().minusNanos(parts.now() - completion.atNanos());
        Duration latency = Duration.between(event.event().createdAt(), arrived);
        tell(new RelayEvent.Delivered(parts.slot(), completion.destination(), plausible(latency)));
        delivered.incrementAndGet();
        hotSpots.count(Objects.requireNonNullElse(
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

    private void tell(RelayEvent event) {
        parts.around().listener().on(event);
    }

    // ---- write ---------------------------------------------------------------------------------------------------

    /** Writes a batch; false when it was fenced, and nothing was written. */
    public boolean settle() {
        long begun = parts.now();
        Settler.Written written = settler.settle();
        int batch = written.items().size();
        List<LaneEvent> events = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++) {
            events.add(unwritten.removeFirst());
        }
        if (written.isFenced()) {
            tell(new RelayEvent.Fenced(parts.slot(), batch));
            return false;
        }
        settled(events, written.items(), Duration.ofNanos(parts.now() - begun));
        if (written.lost() > 0 && !parts.intake().keepsOrder()) {
            tell(new RelayEvent.Fenced(parts.slot(), written.lost()));
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
                    parts.lanes().settled(event);
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
        parts.intake().settled(events);
        tell(new RelayEvent.Settled(parts.slot(), done, retry, dead, took));
    }

    private void settledForRetry(LaneEvent event, Duration delay) {
        if (parts.intake().keepsOrder()) {
            parts.lanes().settledFailure(event, parts.now() + delay.toNanos());
            tell(new RelayEvent.Parked(parts.slot(), event.laneId(), "retry in " + delay));
        } else {
            parts.lanes().settled(event);
        }
    }

    private void settledDead(LaneEvent event, boolean halts) {
        if (halts) {
            holds.haltWritten(event.laneId());
        }
        if (halts || !parts.intake().keepsOrder()) {
            parts.lanes().settled(event);
        } else {
            parts.lanes().settledFailure(event, parts.now()); // Nothing to wait for: its lane is read again at once.
        }
    }
}
