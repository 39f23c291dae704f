package catbox.simulation;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.TimeSource;
import outbox.testkit.InMemoryStore;
import outbox.testkit.SimulatedStore;

/** One run: a while of trouble, then calm, then the question whether every promise was kept. */
public final class Simulation {

    private static final Length LONG = new Length(Duration.ofSeconds(40), 150);
    private static final Length ON_A_REAL_STORE = new Length(Duration.ofSeconds(12), 100);
    private static final Duration CALM = Duration.ofSeconds(400);

    private final long seed;
    private final Length length;
    private final World world;
    private final SimulatedNode.Shared shared;
    private final Fleet fleet;
    private final Operator operator;
    private final Writers writers;
    private int fetches;

    /**
     * How a run went.
     *
     * @param violations promises that were broken; none in a good run
     * @param trace the same for two runs only if the same happened in them
     * @param reached which limits and expiries the run has come to
     */
    public record Report(
            long seed, List<String> violations, long trace, int events, int duplicates, Set<String> reached) {

        public boolean isGood() {
            return violations.isEmpty();
        }

        /** Everything a person needs to go after a run that failed. */
        @Override
        public String toString() {
            return "seed " + seed + " (trace " + trace + "):\n  " + String.join("\n  ", violations)
                    + "\n  The whole story: java -cp <core, relay and testkit> " + Simulator.class.getName() + " "
                    + seed + " 1";
        }
    }

    /** How long there is trouble, and about how many events are written meanwhile. */
    private record Length(Duration trouble, int events) {}

    private Simulation(long seed, @Nullable Consumer<String> log, boolean wallClocksJump) {
        this(seed, new World(seed, log), null, wallClocksJump);
    }

    /** @param real null for a simulated one */
    private Simulation(long seed, World world, @Nullable RealStore real, boolean wallClocksJump) {
        this.seed = seed;
        this.world = world;
        this.length = real == null ? LONG : ON_A_REAL_STORE;
        Scenario scenario = Scenario.of(seed, world, real != null);
        SimulatedStore store = real == null ? inMemory(world, scenario) : real;
        if (real != null) {
            world.follow(new StoreTime(world, real, TimeSource.SYSTEM));
        }
        Ledger ledger = new Ledger(world, scenario.keepsOrder(), id -> isDead(store, id));
        Map<String, Outage> outages = outages(scenario, world);
        this.shared = new SimulatedNode.Shared(
                world,
                store,
                scenario,
                ledger,
                new Witness(world, store, scenario),
                new FaultyLine.Weather(scenario.faults()),
                outages,
                new Patience(world, ledger, outages, scenario.demandsPatience()),
                wallClocksJump);
        this.fleet = new Fleet(shared);
        this.operator = new Operator(shared, fleet);
        this.writers = new Writers(shared, fleet::wake);
        world.note("seed " + seed, scenario);
    }

    private static SimulatedStore inMemory(World world, Scenario scenario) {
        return scenario.knowsHorizon()
                ? new InMemoryStore(world.storeClock())
                : InMemoryStore.withoutHorizon(world.storeClock());
    }

    private static Map<String, Outage> outages(Scenario scenario, World world) {
        Faults faults = scenario.faults();
        Map<String, Outage> outages = new LinkedHashMap<>();
        for (String destination : scenario.routes().destinations()) {
            outages.put(destination, new Outage(destination, faults.delivery(), !faults.mayDuplicate(), world));
        }
        return outages;
    }

    private static boolean isDead(SimulatedStore store, String eventId) {
        return store.operatorStore()
                .find(eventId)
                .map(OutboxEvent::status)
                .filter(status -> status == EventStatus.DEAD)
                .isPresent();
    }

    /** Runs one seed. */
    public static Report run(long seed) {
        return new Simulation(seed, null, true).run();
    }

    /** Runs one seed and tells what happens. */
    public static Report run(long seed, Consumer<String> log) {
        return new Simulation(seed, log, true).run();
    }

    /** Runs one seed with wall clocks that nobody sets, which must make no difference. */
    public static Report runWithSteadyWallClocks(long seed) {
        return new Simulation(seed, null, false).run();
    }

    /**
     * Runs one seed on a real store, which has to be empty. What is simulated is the same: time, threads, destinations,
     * writers and what goes wrong. How long a real command takes is not: so two runs of a seed may differ a little.
     */
    public static Report run(long seed, RealStore store, @Nullable Consumer<String> log) {
        return new Simulation(seed, new World(seed, log), store, true).run();
    }

    private Report run() {
        Interleaving.in(world);
        try {
            play();
        } finally {
            Interleaving.over();
        }
        return new Report(
                seed,
                List.copyOf(world.violations()),
                world.trace(),
                shared.ledger().size(),
                shared.ledger().duplicates(),
                shared.witness().reached().stream().map(Reached::name).collect(Collectors.toCollection(TreeSet::new)));
    }

    private void play() {
        int first = world.random.nextInt(1, Fleet.ALIVE_MAX);
        for (int i = 0; i < first; i++) {
            fleet.startOne();
        }
        writers.writeUntil(length.trouble(), length.events());
        operator.makeTrouble();
        operator.makeLongOutages();
        world.runUntil(length.trouble(), () -> false);
        operator.calmDown();
        world.runUntil(world.elapsed().plus(CALM), () -> writers.areAllClosed() && isQuiet());
        Inspection inspection = new Inspection(shared);
        inspection.checkEvents();
        // What an idle engine asks for does not depend on the store.
        if (world.violations().isEmpty() && length.equals(LONG)) {
            inspection.watchIdle(fleet);
        }
    }

    private boolean isQuiet() {
        boolean isTime = ++fetches % 32 == 0; // Not each time: looking costs more than what happens in between.
        return isTime && shared.store().isQuiet();
    }
}
