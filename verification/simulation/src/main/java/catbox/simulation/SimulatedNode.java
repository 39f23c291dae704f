package catbox.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.LayoutMismatchException;
import outbox.OutboxException;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.relay.ClusterConfig;
import outbox.relay.DestinationConfig;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.loop.LoopScheduler;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.node.RelayNode;
import outbox.relay.observe.RelayEvent;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.TimeSource;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClusterLayout;
import outbox.testkit.SimulatedStore;

/** One process with a relay in it: the engine's own code, whose iterations the world schedules. */
final class SimulatedNode implements World.Mortal, TimeSource {

    static final OperatorAction OPERATOR = new OperatorAction("operator", null);

    private static final Duration GIVES_UP_LEAVING = Duration.ofSeconds(15);

    private final Shared shared;
    private final World world;
    private final String name;
    private final FaultyLine line;
    private final NodeLoops loops;
    private final RelayNode node;
    private final long monotonicOrigin;
    /** How much of a second its monotonic clock counts in a second. */
    private final double pace;

    private Duration wallOffset;
    private @Nullable String session;
    private boolean dead;
    private boolean leaving;

    /** What nodes share. */
    record Shared(
            World world,
            SimulatedStore store,
            Scenario scenario,
            Ledger ledger,
            Witness witness,
            FaultyLine.Weather weather,
            Map<String, Outage> outages,
            Patience patience,
            boolean wallClocksJump) {

        /** An operator replays an event, if it is dead. */
        void replay(String eventId) {
            OperatorStore operator = store.operatorStore();
            if (operator.find(eventId).map(OutboxEvent::status).equals(Optional.of(EventStatus.DEAD))) {
                operator.replay(new Selection.Ids(List.of(eventId)), null, 1, OPERATOR)
                        .eventIds()
                        .forEach(ledger::replayed);
            }
        }
    }

    SimulatedNode(String name, ClusterLayout terms, Supplier<String> ids, Shared shared) {
        this.shared = shared;
        this.world = shared.world();
        this.name = name;
        this.monotonicOrigin = world.random.nextLong();
        this.pace = 1 + shared.scenario().drift() * world.random.nextDouble(-1, 1);
        this.wallOffset = Duration.ofSeconds(world.random.nextLong(-20, 20));
        this.line = new FaultyLine(world, this, shared.weather());
        this.loops = new NodeLoops(world, this);
        RelayConfig config = config(terms);
        this.node = new RelayNode(
                FaultyStores.of(shared.store(), line, shared.witness(), name, this::replaySoon),
                new RelayContext(config, shared.scenario().routes(), gates(), this, this::noted, Pacing.MEASURED),
                ids,
                loops);
        shared.witness().asks(asked -> !dead && asked.equals(session) && node.isMember());
    }

    // An operator replays dead events, sometimes before the node repeats a settlement whose reply was lost.
    private void replaySoon(SettleRequest failed) {
        if (shared.scenario().replays() && world.chance(0.5)) {
            for (SettleItem item : failed.items()) {
                String eventId = item.settlement().claim().eventId();
                world.in(world.millis(0, 40), null, () -> shared.replay(eventId));
            }
        }
    }

    private RelayConfig config(ClusterLayout terms) {
        DoneRows doneRows = world.chance(0.3) ? DoneRows.DELETE : DoneRows.KEEP;
        return RelayConfig.of(name)
                .withStrategy(terms.strategy())
                .withPartitions(terms.partitions())
                .withCluster(ClusterConfig.of(name)
                        .withWeight(world.random.nextInt(1, 4))
                        .withDrain(drain()))
                .withClaim(RelayConfig.ClaimConfig.defaults()
                        .withFetchMax(world.random.nextInt(1, 30))
                        .withMemory(shared.scenario().eventsMax(), 1 << 20)
                        .withLanes(
                                shared.scenario().eventsPerLaneMax(),
                                shared.scenario().lanesSkippedMax())
                        .withLease(Duration.ofSeconds(world.random.nextInt(3, 20))))
                .withSettle(SettleConfig.defaults()
                        .withMaxAttempts(shared.scenario().attemptsMax())
                        .withDoneRows(doneRows)
                        .withOnDeadEvent(shared.scenario().onDeadEvent())
                        .withRetryPolicy(new ExponentialBackoffRetryPolicy(
                                200, shared.scenario().backoffMax().toMillis(), world.random)));
    }

    // Where nothing excuses a duplicate, there has to be time for every answer.
    private Duration drain() {
        return shared.scenario().faults().mayDuplicate() ? world.millis(0, 10_000) : Duration.ofSeconds(10);
    }

    private Map<String, DestinationGate> gates() {
        Map<String, DestinationGate> gates = new LinkedHashMap<>();
        shared.outages().forEach((destination, outage) -> {
            DestinationConfig usual = DestinationConfig.defaults().withDeadline(Duration.ofSeconds(2));
            int failures = world.random.nextInt(0, 6);
            DestinationConfig treatment = shared.scenario().isPatient()
                    ? usual.withBreaker(failures, usual.breakerRest(), usual.breakerRestMax())
                    : usual.withBreaker(failures, Duration.ofMillis(200), Duration.ofSeconds(2));
            SimulatedDestination simulated = new SimulatedDestination(this, shared, outage);
            gates.put(destination, new DestinationGate(destination, simulated, treatment, this, this::noted));
        });
        return gates;
    }

    private void noted(RelayEvent event) {
        if (!(event instanceof RelayEvent.HeartbeatSent)) {
            world.note(name, event);
        }
        if (event instanceof RelayEvent.Joined joined) {
            session = joined.session();
        }
        if (event instanceof RelayEvent.LanesOverflowed) {
            shared.witness().reached(Reached.LANES_PASSED_MAX);
        }
        if (event instanceof RelayEvent.PartitionLost) {
            shared.ledger().leaseLost();
        }
        if (event instanceof RelayEvent.PartFailed failed && !(failed.cause() instanceof OutboxException)) {
            world.violation("a part of the engine failed: " + failed.part() + ": " + failed.cause());
        }
    }

    // ---- life ----------------------------------------------------------------------------------------------------

    void start() {
        try {
            node.join();
        } catch (LayoutMismatchException e) {
            dead = true; // As a process that says why and ends: its settings are out of date.
            return;
        } catch (OutboxException e) {
            world.in(NodeLoops.FAILURE_REST, this, this::start);
            return;
        }
        LoopScheduler.Handle beating = loops.add("beat", node::heartbeatOnce);
        LoopScheduler.Handle assigning = loops.add("assign", node::assignOnce);
        node.wakers(new RelayNode.Wakers(beating::wake, assigning::wake));
        loops.add("poll", node::peekOnce);
        loops.add("upkeep", node::upkeepOnce);
        world.in(world.millis(0, 3_000), this, node::prepared);
    }

    void crash() {
        world.note(name, "crashes");
        die();
    }

    // Whatever a process dies of, its connections end with it.
    private void die() {
        dead = true;
        loseConnection();
    }

    /** It loses the connection of its heartbeats, until the next heartbeat opens another. */
    void loseConnection() {
        if (session != null) {
            shared.store().disconnect(session);
        }
    }

    /** Stops as a process does that was asked to: finishes, hands over, leaves; gives up after a while. */
    void leave() {
        world.note(name, "is asked to leave");
        leaving = true;
        node.stop();
        leaveWhenStopped(world.nowNanos() + GIVES_UP_LEAVING.toNanos());
    }

    private void leaveWhenStopped(long untilNanos) {
        world.in(Duration.ofMillis(50), this, () -> {
            if (!node.isStopped() && world.nowNanos() <= untilNanos) {
                leaveWhenStopped(untilNanos);
                return;
            }
            try {
                node.leave();
            } catch (OutboxException e) {
                world.note(name, "could not leave, so the others have to find out");
            }
            die();
        });
    }

    @Override
    public boolean isDead() {
        return dead;
    }

    boolean isLeaving() {
        return leaving;
    }

    String name() {
        return name;
    }

    RelayNode relay() {
        return node;
    }

    FaultyLine line() {
        return line;
    }

    void checkMemory() {
        if (node.eventsInMemory() > shared.scenario().eventsMax()) {
            world.violation("memory: " + name + " holds " + node.eventsInMemory() + " events");
        }
    }

    // ---- its clocks ------------------------------------------------------------------------------------------------

    @Override
    public long nanoTime() {
        return monotonicOrigin + (long) (pace * world.nowNanos());
    }

    @Override
    public Instant instant() {
        return world.storeClock().instant().plus(wallOffset);
    }

    void jumpWallClock(Duration by) {
        if (shared.wallClocksJump()) {
            world.note(name, "has its wall clock set by", by);
            wallOffset = wallOffset.plus(by);
        }
    }
}
