package catbox.chaos;

import catbox.chaos.Disturbance.Victim;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;

/** Disturbs a running cluster, and waits each time until the cluster has recovered. */
final class Disturber {

    private static final long UNKNOWN = -1;
    private static final int RELAYS_MIN = 2;
    private static final int RELAYS_MAX = 4;

    /** The kinds of disturbance. */
    enum Act {
        KILL,
        FREEZE,
        ADD,
        REMOVE,
        RESTART_DATABASE,
        CHANGE_STRATEGY,
        CHANGE_PARTITIONS
    }

    private final Server server;
    private final Database database;
    private final Relays relays;
    private final SplittableRandom random;
    private final List<Disturbance> done = new ArrayList<>();
    private final Map<Act, Integer> counts = new EnumMap<>(Act.class);

    Disturber(Server server, Database database, Relays relays, SplittableRandom random) {
        this.server = server;
        this.database = database;
        this.relays = relays;
        this.random = random;
    }

    List<Disturbance> done() {
        return List.copyOf(done);
    }

    Map<Act, Integer> counts() {
        return Map.copyOf(counts);
    }

    void carryOut(Act act) throws IOException, InterruptedException {
        Act fitting = fitting(act);
        counts.merge(fitting, 1, Integer::sum);
        switch (fitting) {
            case KILL -> kill();
            case FREEZE -> freeze();
            case ADD -> add();
            case REMOVE -> remove();
            case RESTART_DATABASE -> restartDatabase();
            case CHANGE_STRATEGY -> changeStrategy();
            case CHANGE_PARTITIONS -> changePartitions();
        }
    }

    private Act fitting(Act act) {
        if (act == Act.REMOVE && relays.size() <= RELAYS_MIN) {
            return Act.ADD;
        }
        return act == Act.ADD && relays.size() >= RELAYS_MAX ? Act.REMOVE : act;
    }

    private void kill() throws IOException, InterruptedException {
        Child victim = relays.owner();
        Victim described = victim(victim);
        strike(victim, described);
        Child replacement = relays.begin();
        relays.awaitTakeover(described.owned(), victim);
        replacement.awaitRunning();
    }

    private void strike(Child victim, Victim described) throws InterruptedException {
        done.add(new Disturbance.Killed(Clock.micros(), described));
        victim.kill();
        relays.remove(victim);
    }

    /** Freezes a relay beyond its timeout, so that it wakes up with events that other relays own by then. */
    private void freeze() throws IOException, InterruptedException {
        Child victim = relays.owner();
        Victim described = victim(victim);
        int joins = victim.joins();
        long from = Clock.micros();
        victim.freeze();
        try {
            relays.awaitTakeover(described.owned(), victim);
        } catch (IllegalStateException e) {
            // Thrown from here, because the awaited process may be the frozen one.
            throw new IllegalStateException(e.getMessage() + "\n" + database.describeSessions(), e);
        } finally {
            victim.thaw();
            done.add(new Disturbance.Frozen(from, Clock.micros(), described));
        }
        Wait.until(victim.name() + " joins again", Child.WAIT_MAX, () -> victim.joins() > joins);
    }

    private void add() throws IOException, InterruptedException {
        long from = Clock.micros();
        relays.begin().awaitRunning();
        relays.awaitAllOwned();
        planned(from, "a relay was added");
    }

    private void remove() throws InterruptedException {
        long from = Clock.micros();
        Child leaving = relays.any();
        Set<Integer> owned = leaving.owned();
        leaving.askToClose();
        leaving.awaitClosed();
        relays.remove(leaving);
        relays.awaitTakeover(owned, leaving);
        planned(from, "a relay was stopped");
    }

    private boolean hasRisen(AtomicLong before) {
        OptionalLong now = database.progress();
        return now.isPresent() && !before.compareAndSet(UNKNOWN, now.getAsLong()) && now.getAsLong() > before.get();
    }

    /** In a third of the cases a relay dies while the database is down. */
    private void restartDatabase() throws IOException, InterruptedException {
        long from = Clock.micros();
        server.kill();
        boolean dies = relays.size() > RELAYS_MIN && random.nextInt(3) == 0;
        if (dies) {
            Child victim = relays.any();
            strike(victim, victim(victim));
            counts.merge(Act.KILL, 1, Integer::sum);
        }
        // The duration of the outage is chosen, there is nothing to wait for.
        Wait.within(Duration.ofMillis(random.nextInt(0, 1_500)), () -> false);
        server.restart();
        done.add(new Disturbance.Outage(from, Clock.micros()));
        AtomicLong before = new AtomicLong(UNKNOWN);
        Wait.until("writers write again", Child.WAIT_MAX, () -> hasRisen(before));
        if (dies) {
            relays.begin().awaitRunning();
        }
        relays.awaitAllOwned();
    }

    private void changeStrategy() throws InterruptedException {
        long from = Clock.micros();
        ClaimStrategy next =
                relays.terms().strategy() == ClaimStrategy.PRIMARY ? ClaimStrategy.PARTITIONED : ClaimStrategy.PRIMARY;
        database.admin().changeStrategy(next, "chaos");
        relays.terms(new ClusterLayout(next, relays.terms().partitions()));
        relays.awaitAllOwned();
        planned(from, "the strategy became " + next.label());
    }

    /** In half of the cases a relay dies during the change. */
    private void changePartitions() throws IOException, InterruptedException {
        long from = Clock.micros();
        List<Integer> others = List.of(4, 6, 8, 11).stream()
                .filter(number -> number != relays.terms().partitions())
                .toList();
        int partitions = others.get(random.nextInt(others.size()));
        Child victim = relays.owner();
        database.admin().changePartitions(partitions, "chaos");
        boolean dies = random.nextBoolean();
        if (dies) {
            // A takeover of its partitions cannot be measured, because the change replaces them.
            strike(victim, new Victim(victim.name(), Set.of(), partitions));
            counts.merge(Act.KILL, 1, Integer::sum);
        }
        Wait.until(
                "the table has " + partitions + " partitions",
                Child.WAIT_MAX,
                () -> database.hasPartitions(partitions));
        relays.terms(new ClusterLayout(relays.terms().strategy(), partitions));
        relays.awaitAllOwned();
        planned(from, "the partitions became " + partitions);
        if (dies) {
            relays.begin().awaitRunning();
        }
    }

    private Victim victim(Child child) {
        return new Victim(child.name(), child.owned(), relays.terms().partitions());
    }

    private void planned(long from, String what) {
        done.add(new Disturbance.Planned(from, Clock.micros(), what));
    }
}
