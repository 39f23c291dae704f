package catbox.server.engine;

import catbox.server.config.Routing;
import catbox.server.config.SourcePlan;
import catbox.server.pulse.PulseCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.admin.StoreAdmin;
import outbox.internal.OutageLog;
import outbox.internal.SupervisedLoop;
import outbox.micrometer.RelayMeters;
import outbox.micrometer.StatisticsMeters;
import outbox.relay.Relay;
import outbox.relay.RelayBuilder;
import outbox.relay.config.DestinationSettings;
import outbox.relay.observe.RecentDeliveries;
import outbox.spi.TimeSource;
import outbox.spi.operations.StatisticsStore;

/**
 * One source at work. Whatever keeps its relay from starting, a database that is down or a table that is not there, is
 * said now and then, and tried again until it works.
 */
public final class Source implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Source.class.getName());
    private static final Duration REST_MIN = Duration.ofMillis(500);
    private static final Duration REST_MAX = Duration.ofSeconds(15);
    private static final Duration STATISTICS_REFRESH = Duration.ofSeconds(15);
    private static final Duration STOP_WAIT = Duration.ofSeconds(5);

    private final SourcePlan plan;
    private final MeterRegistry registry;
    private final RelayMeters meters;
    private final SourceActivity watch = new SourceActivity(TimeSource.SYSTEM);
    private final PulseCounter counter = new PulseCounter();
    private final RecentDeliveries arrivals = new RecentDeliveries(TimeSource.SYSTEM);
    private final SupervisedLoop connecting;
    private final DatabaseWatch databaseWatch;
    private final OutageLog outages = new OutageLog(LOG, TimeSource.SYSTEM);
    private Duration rest = REST_MIN; // of the connecting thread alone
    private volatile Wanted wanted; // written under the lock
    private volatile State state = new State.Connecting(null); // written under the lock
    private volatile List<String> reloadComplaints = List.of(); // written by who reads the file again
    private boolean changing; // under the lock: a change is ready that does not know of a relay started now

    /** Where events are to go; what can be changed while the source is worked on. */
    private record Wanted(Routing routing, boolean paused) {}

    /** Where a source has got to. */
    public sealed interface State {
        /** Not to be worked on. */
        record Disabled() implements State {}

        /**
         * Its relay could not be started yet.
         *
         * @param problem why the last attempt failed; null before it
         */
        record Connecting(@Nullable String problem) implements State {}

        record Running(Relay relay, SourceDatabase database) implements State {}

        record Stopped() implements State {}
    }

    Source(SourcePlan plan, Routing routing, MeterRegistry registry) {
        this.plan = plan;
        this.wanted = new Wanted(routing, plan.paused());
        this.registry = registry;
        this.meters = new RelayMeters(registry, plan.name());
        this.connecting = new SupervisedLoop("catbox-connect-" + plan.name(), this::connectOnce);
        this.databaseWatch = new DatabaseWatch(plan.name(), this::database, TimeSource.SYSTEM);
    }

    void start() {
        if (plan.enabled()) {
            connecting.start();
            databaseWatch.start();
        } else {
            state = new State.Disabled();
            LOG.log(Level.INFO, "source {0} is disabled", plan.name());
        }
    }

    private boolean connectOnce() throws InterruptedException {
        try {
            return !run(wanted);
        } catch (RuntimeException e) {
            failed(Problem.words(e));
            connecting.rest(rest);
            rest = rest.multipliedBy(2).compareTo(REST_MAX) > 0 ? REST_MAX : rest.multipliedBy(2);
            return true;
        }
    }

    private synchronized void failed(String problem) {
        if (state instanceof State.Connecting) {
            outages.failed("source " + plan.name(), problem);
            state = new State.Connecting(problem);
        }
    }

    /** Starts the relay; false when other routes are wanted by now, or none at all. */
    private boolean run(Wanted now) {
        SourceDatabase database = SourceDatabase.open(plan);
        try {
            database.prepareTables();
            OpenDestinations destinations = OpenDestinations.open(
                    plan.name(),
                    arrivals,
                    now.routing().destinationsOf(plan.name()).values());
            Relay relay = started(database, destinations, now);
            if (adopt(now, relay, database)) {
                outages.works("source " + plan.name());
                LOG.log(Level.INFO, "source {0} is relayed from {1}", plan.name(), plan.database());
                return true;
            }
            relay.close();
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        database.close();
        return false;
    }

    private synchronized boolean adopt(Wanted now, Relay relay, SourceDatabase database) {
        boolean stillWanted = !changing && wanted.equals(now) && state instanceof State.Connecting;
        if (stillWanted) {
            state = new State.Running(relay, database);
            meters.bind(relay);
            new StatisticsMeters(database.statisticsStore(), plan.name(), STATISTICS_REFRESH).bindTo(registry);
        }
        return stillWanted;
    }

    private Relay started(SourceDatabase database, OpenDestinations destinations, Wanted now) {
        RelayBuilder builder = Relay.on(database.stores(), plan.relay().config())
                .workers(plan.relay().workers())
                .router(now.routing().router(plan.name()))
                .listener(watch)
                .listener(counter)
                .listener(meters);
        destinations.all().forEach((to, destination) -> builder.destination(to.name(), destination, to.treatment()));
        plan.relay().retention().ifPresent(times -> builder.retention(database.retentionStore(), times));
        if (plan.listens()) {
            builder.channel(database.wakeUpChannel());
        }
        Relay relay;
        try {
            relay = builder.build();
        } catch (RuntimeException e) {
            destinations.close();
            throw e;
        }
        try {
            relay.pause(now.routing().pauses(now.paused()));
            relay.start();
            return relay;
        } catch (RuntimeException e) {
            relay.close(); // Closes the destinations too.
            throw e;
        }
    }

    // ---- while it runs -------------------------------------------------------------------------------------------

    /** A change that is ready to be made: everything that can fail has been done. */
    interface Change {
        void make();

        void dismiss();
    }

    /**
     * Makes a change of routes, destinations and pauses ready.
     *
     * @throws RuntimeException when a destination cannot be opened; nothing has changed then
     */
    synchronized Change ready(Routing next, boolean paused) {
        boolean running = state instanceof State.Running;
        Map<String, DestinationSettings> before = destinations();
        OpenDestinations opened = OpenDestinations.open(
                plan.name(),
                arrivals,
                next.destinationsOf(plan.name()).values().stream()
                        .filter(to -> running && !Routing.opensAlike(to, before.get(to.name())))
                        .toList());
        changing = true;
        return new Change() {
            @Override
            public void make() {
                change(new Wanted(next, paused), opened);
            }

            @Override
            public void dismiss() {
                opened.close();
                changed();
            }
        };
    }

    private synchronized void changed() {
        changing = false;
    }

    // While a relay runs it stays until the end, so what was opened for it is still needed; and while it is being
    // started, it will be started anew because something else is wanted.
    private synchronized void change(Wanted next, OpenDestinations opened) {
        Set<String> former = new LinkedHashSet<>(destinations().keySet());
        wanted = next;
        changing = false;
        if (state instanceof State.Running(Relay relay, SourceDatabase database)) {
            relay.pause(next.routing().pauses(next.paused())); // Before anything new is used that is to be paused.
            opened.all().forEach((to, destination) -> relay.destination(to.name(), destination, to.treatment()));
            relay.reroute(next.routing().router(plan.name()));
            former.removeAll(destinations().keySet());
            former.forEach(relay::removeDestination);
        } else {
            opened.close();
        }
    }

    // ---- how it is -----------------------------------------------------------------------------------------------

    public SourcePlan plan() {
        return plan;
    }

    public State state() {
        return state;
    }

    /** The relay, while there is one. */
    public Optional<Relay> relay() {
        return state instanceof State.Running running ? Optional.of(running.relay()) : Optional.empty();
    }

    private Optional<SourceDatabase> database() {
        return state instanceof State.Running running ? Optional.of(running.database()) : Optional.empty();
    }

    /** What is wrong with its database, as far as is known; empty when it answers, or is not connected to. */
    public Optional<String> databaseProblem() {
        return databaseWatch.problem();
    }

    /** The threads of its relay that have ended although the relay is open. */
    public List<String> endedThreads() {
        return relay().map(Relay::endedLoops).orElse(List.of());
    }

    public SourceActivity watch() {
        return watch;
    }

    PulseCounter counter() {
        return counter;
    }

    /** The statistics of its store, while it is connected. */
    Optional<StatisticsStore> statistics() {
        return state instanceof State.Running running
                ? Optional.of(running.database().statisticsStore())
                : Optional.empty();
    }

    /**
     * All operations of it in the name of a person; empty while it is not connected. Whether the person may do them is
     * not asked here.
     */
    public Optional<OutboxAdmin> admin(String who) {
        return state instanceof State.Running(Relay relay, SourceDatabase database)
                ? Optional.of(new StoreAdmin(database.adminStores(), live(relay, database), who))
                : Optional.empty();
    }

    private LiveSource live(Relay relay, SourceDatabase database) {
        SourceFindings findings = new SourceFindings(relay, watch, database, reloadComplaints);
        return new LiveSource(this, relay, arrivals, findings);
    }

    /** The server's file, as it is now, could not be taken over; with no complaint it was. */
    void reloadRefused(List<String> complaints) {
        reloadComplaints = List.copyOf(complaints);
    }

    /** The destinations that its events may go to. */
    public Map<String, DestinationSettings> destinations() {
        return wanted.routing().destinationsOf(plan.name());
    }

    /** Finishes what is under way, hands over, and closes everything. */
    @Override
    public void close() {
        connecting.interrupt();
        databaseWatch.close();
        State last;
        synchronized (this) {
            last = state;
            state = new State.Stopped();
        }
        if (last instanceof State.Running(Relay relay, SourceDatabase database)) {
            relay.close();
            database.close();
        } else {
            awaitAttempt();
        }
    }

    private void awaitAttempt() {
        try {
            connecting.join(STOP_WAIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
