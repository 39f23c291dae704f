package catbox.simulation;

import java.time.Duration;
import java.util.List;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.Pause;
import outbox.testkit.InMemoryStore;
import outbox.testkit.SimulatedStore;

/** An operator who starts and stops processes, changes settings, sets clocks and pauses things, until the run calms down. */
final class Operator {

    private static final Selection DEAD = new Selection.Matching(EventFilter.ALL.withState(EventFilter.State.DEAD));
    private static final String NAME = "operator";

    private final World world;
    private final SimulatedStore store;
    private final SimulatedNode.Shared shared;
    private final Fleet fleet;
    private final Faults faults;
    private boolean troubled = true;

    Operator(SimulatedNode.Shared shared, Fleet fleet) {
        this.world = shared.world();
        this.store = shared.store();
        this.shared = shared;
        this.fleet = fleet;
        this.faults = shared.scenario().faults();
    }

    void makeTrouble() {
        world.in(world.millis(200, 3_000), null, () -> {
            if (troubled) {
                if (world.chance(faults.cluster())) {
                    meddle();
                }
                if (world.chance(faults.clocks())) {
                    setClocks();
                }
                if (shared.scenario().sequencesReset() && world.chance(0.15)) {
                    numberAnew();
                }
                if (shared.scenario().replays()) {
                    replay();
                }
                makeTrouble();
            }
        });
    }

    private void meddle() {
        List<SimulatedNode> alive = fleet.alive();
        switch (world.random.nextInt(10)) {
            case 0, 1 -> {
                if (alive.size() < Fleet.ALIVE_MAX) {
                    fleet.startOne();
                }
            }
            case 2 -> {
                if (alive.size() > 1) {
                    world.anyOf(alive).leave();
                }
            }
            case 3 -> {
                if (faults.crash() > 0 && alive.size() > 1) {
                    world.anyOf(alive).crash();
                }
            }
            case 4 -> admin().changePartitions(world.random.nextInt(1, 10), NAME);
            case 5 -> changeStrategy();
            case 6 -> pauseForAWhile();
            case 7 -> reroute();
            case 8 -> {
                if (faults.refused() > 0 && world.chance(0.5) && !alive.isEmpty()) {
                    world.anyOf(alive).line().cutOff(world.millis(100, 20_000));
                } else if (faults.refused() > 0) {
                    shared.weather().storeIsDown = true;
                    world.in(world.millis(100, 15_000), null, () -> shared.weather().storeIsDown = false);
                }
            }
            default -> beginOutage(world.millis(100, 8_000));
        }
    }

    /** One outage after the other, each longer than all attempts at an event take together. */
    void makeLongOutages() {
        if (shared.scenario().isPatient()) {
            world.in(world.millis(6_000, 12_000), null, () -> {
                if (troubled) {
                    Duration length = shared.scenario().retriesTake().plus(world.millis(1_000, 8_000));
                    beginOutage(length);
                    world.in(length, null, this::makeLongOutages);
                }
            });
        }
    }

    private void beginOutage(Duration length) {
        Outage outage = world.anyOf(List.copyOf(shared.outages().values()));
        switch (world.random.nextInt(shared.scenario().isPatient() ? 2 : 4)) {
            case 0 -> outage.beginUnavailable();
            case 1 -> outage.beginMissing(Outage.addressOf(Writers.key(world.random.nextInt(Writers.KEYS))));
            default -> outage.isDown = true;
        }
        world.in(length, null, () -> endOutage(outage));
    }

    private void endOutage(Outage outage) {
        if (outage.recover()) {
            shared.patience().returned(outage);
        }
    }

    private ClusterAdmin admin() {
        return store.clusterAdmin();
    }

    private void changeStrategy() {
        if (fleet.strategy().usesPartitions()) {
            boolean isPrimary = fleet.strategy() == ClaimStrategy.PRIMARY;
            fleet.setTo(isPrimary ? ClaimStrategy.PARTITIONED : ClaimStrategy.PRIMARY);
            admin().changeStrategy(fleet.strategy(), NAME);
        }
    }

    private void pauseForAWhile() {
        String route = world.anyOf(shared.scenario().routes().types());
        Pause.Subject subject = switch (world.random.nextInt(6)) {
            case 0 -> new Pause.Subject(Pause.Kind.PARTITION, "" + world.random.nextInt(6));
            case 1 -> new Pause.Subject(Pause.Kind.DESTINATION, route);
            case 2 -> new Pause.Subject(Pause.Kind.ROUTE, route);
            case 3 -> new Pause.Subject(Pause.Kind.SOURCE, "");
            case 4 -> new Pause.Subject(Pause.Kind.NODE, fleet.anyName());
            default -> new Pause.Subject(Pause.Kind.KEY, Writers.key(world.random.nextInt(Writers.KEYS)));
        };
        admin().pause(subject, "trouble", NAME);
        world.in(world.millis(100, 6_000), null, () -> admin().resume(subject, NAME));
    }

    private void reroute() {
        shared.scenario().routes().shuffle(world);
        fleet.alive().forEach(node -> node.relay().rerouted());
        world.in(world.millis(100, 6_000), null, this::openAllRoutes);
    }

    private void openAllRoutes() {
        // Not if nothing is closed: every node would then read everything again, and hide what it forgot.
        if (shared.scenario().routes().open()) {
            fleet.alive().forEach(node -> node.relay().rerouted());
        }
    }

    private void setClocks() {
        Duration by = Duration.ofMillis(world.random.nextLong(-20_000, 20_000));
        if (world.chance(0.3)) {
            shared.witness().storeClockIsSet();
            world.jumpStoreClock(by);
        } else if (!fleet.alive().isEmpty()) {
            world.anyOf(fleet.alive()).jumpWallClock(by.multipliedBy(100));
        }
    }

    /** As after TRUNCATE with RESTART IDENTITY, or a restored dump: no number is as high as relays have seen. */
    private void numberAnew() {
        if (store instanceof InMemoryStore inMemory) {
            boolean empties = world.chance(0.3);
            world.note(NAME, empties ? "empties the table" : "lets numbers begin anew");
            if (empties) {
                inMemory.empty();
                shared.ledger().emptied();
            } else {
                inMemory.restartNumbering();
                shared.ledger().sequenceReset();
            }
        }
    }

    private void replay() {
        store.operatorStore()
                .replay(DEAD, null, 1, SimulatedNode.OPERATOR)
                .eventIds()
                .forEach(shared.ledger()::replayed);
    }

    // ---- calm ----------------------------------------------------------------------------------------------------

    void calmDown() {
        troubled = false;
        shared.weather().faults = Faults.NONE;
        shared.weather().storeIsDown = false;
        fleet.alive().forEach(node -> node.line().reconnect());
        for (Outage outage : shared.outages().values()) {
            outage.failures = 0;
            endOutage(outage);
        }
        openAllRoutes();
        resumeEverything();
        keepOneAlive();
    }

    // A process is always started again, sooner or later.
    private void keepOneAlive() {
        if (fleet.alive().isEmpty()) {
            fleet.startOne();
        }
        world.in(Duration.ofSeconds(1), null, this::keepOneAlive);
    }

    // Dead events may pause keys for a while yet.
    private void resumeEverything() {
        admin().pauses().forEach(pause -> admin().resume(pause.subject(), NAME));
        world.in(Duration.ofSeconds(1), null, this::resumeEverything);
    }
}
