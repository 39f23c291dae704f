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
import outbox.relay.config.DestinationSettings;
import outbox.relay.observe.RecentDeliveries;
import outbox.spi.TimeSource;
import outbox.spi.operations.StatisticsStore;

/**
 * Runs the relay of one source. While the relay cannot start, because the database is down or a table is missing, it
 * retries and logs the reason now and then.
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
    private final SourceActivity activity = new SourceActivity(TimeSource.SYSTEM);
    private final PulseCounter counter = new PulseCounter();
    private final RecentDeliveries deliveries = new RecentDeliveries(TimeSource.SYSTEM);
    private final RelayStarter starter;
    private final SupervisedLoop connecting;
    private final DatabaseWatch databaseWatch;
    private final OutageLog outages = new OutageLog(LOG, TimeSource.SYSTEM);
    private Duration rest = REST_MIN; // of the connecting thread only
    private volatile Wanted wanted; // written under the lock
    private volatile State state = new State.Connecting(null); // written under the lock
    private volatile List<String> reloadErrors = List.of(); // written by the thread that reloads the file
    private boolean changing; // under the lock: a change is prepared, which a relay that starts now would not get

    /** The routes, destinations and pause that the source has to have, which can change while it runs. */
    private record Wanted(Routing routing, boolean paused) {}

    /** The state of a source. */
    public sealed interface State {
        /** Its configuration disables it. */
        record Disabled() implements State {}

        /**
         * Its relay has not started yet.
         *
         * @param problem why the last attempt failed; null before it
         */
        record Connecting(@Nullable String problem) implements State {}

        /** Its relay runs. */
        record Running(Relay relay, SourceDatabase database) implements State, AutoCloseable {

            @Override
            public void close() {
                try {
                    relay.close();
                } finally {
                    database.close();
                }
            }
        }

        /** It was closed. */
        record Stopped() implements State {}
    }

    Source(SourcePlan plan, Routing routing, MeterRegistry registry) {
        this.plan = plan;
        this.wanted = new Wanted(routing, plan.paused());
        this.registry = registry;
        this.meters = new RelayMeters(registry, plan.name());
        this.starter = new RelayStarter(plan, deliveries, List.of(activity, counter, meters));
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
            failed(Problem.describe(e));
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

    /** Starts the relay; false if the configuration has changed or the source was closed in the meantime. */
    private boolean run(Wanted now) {
        State.Running running = starter.start(now.routing(), now.paused());
        if (adopt(now, running)) {
            outages.works("source " + plan.name());
            LOG.log(Level.INFO, "source {0} is relayed from {1}", plan.name(), plan.database());
            return true;
        }
        running.close();
        return false;
    }

    private synchronized boolean adopt(Wanted now, State.Running running) {
        boolean stillWanted = !changing && wanted.equals(now) && state instanceof State.Connecting;
        if (stillWanted) {
            state = running;
            meters.bind(running.relay());
            new StatisticsMeters(running.database().adminStores().statistics(), plan.name(), STATISTICS_REFRESH)
                    .bindTo(registry);
        }
        return stillWanted;
    }

    // ---- while it runs -------------------------------------------------------------------------------------------

    /** A prepared change: everything that can fail has been done. */
    interface Change {
        void apply();

        void discard();
    }

    /**
     * Prepares a change of routes, destinations and pauses.
     *
     * @throws RuntimeException when a destination cannot be opened, before anything has changed
     */
    synchronized Change prepare(Routing next, boolean paused) {
        boolean running = state instanceof State.Running;
        Map<String, DestinationSettings> before = destinations();
        OpenDestinations opened = starter.open(next.destinationsOf(plan.name()).values().stream()
                .filter(to -> running && !Routing.canStayOpen(to, before.get(to.name())))
                .toList());
        changing = true;
        return new Change() {
            @Override
            public void apply() {
                change(new Wanted(next, paused), opened);
            }

            @Override
            public void discard() {
                opened.close();
                changed();
            }
        };
    }

    private synchronized void changed() {
        changing = false;
    }

    // A running relay stays until the source is closed, so it needs the opened destinations. A starting relay is
    // started again with the new configuration, and opens its own.
    private synchronized void change(Wanted next, OpenDestinations opened) {
        Set<String> former = new LinkedHashSet<>(destinations().keySet());
        wanted = next;
        changing = false;
        if (state instanceof State.Running(Relay relay, SourceDatabase database)) {
            // Pauses come first, so that nothing new is used that has to be paused.
            relay.pause(next.routing().pauses(next.paused()));
            opened.all().forEach((to, destination) -> relay.destination(to.name(), destination, to.treatment()));
            relay.reroute(next.routing().router(plan.name()));
            former.removeAll(destinations().keySet());
            former.forEach(relay::removeDestination);
        } else {
            opened.close();
        }
    }

    // ---- state ---------------------------------------------------------------------------------------------------

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

    /** The problem of its database; empty when it answers, or when the source is not connected. */
    public Optional<String> databaseProblem() {
        return databaseWatch.problem();
    }

    /** The threads of its relay that have ended although the relay is open. */
    public List<String> endedThreads() {
        return relay().map(Relay::endedLoops).orElse(List.of());
    }

    public SourceActivity activity() {
        return activity;
    }

    PulseCounter counter() {
        return counter;
    }

    /** The statistics of its store, while it is connected. */
    Optional<StatisticsStore> statistics() {
        return database().map(each -> each.adminStores().statistics());
    }

    /**
     * All operations on it, recorded in a user's name; empty while it is not connected. The caller checks whether the user
     * has the role.
     */
    public Optional<OutboxAdmin> admin(String user) {
        return state instanceof State.Running(Relay relay, SourceDatabase database)
                ? Optional.of(new StoreAdmin(database.adminStores(), live(relay, database), user))
                : Optional.empty();
    }

    private LiveSource live(Relay relay, SourceDatabase database) {
        SourceFindings findings = new SourceFindings(relay, activity, database, reloadErrors);
        return new LiveSource(this, relay, deliveries, findings);
    }

    /** Records why the present content of the server's file was not applied; without errors, that it was. */
    void reloaded(List<String> errors) {
        reloadErrors = List.copyOf(errors);
    }

    /** The destinations that its events may go to. */
    public Map<String, DestinationSettings> destinations() {
        return wanted.routing().destinationsOf(plan.name());
    }

    /** Finishes events in flight, hands partitions over, and closes everything. */
    @Override
    public void close() {
        connecting.interrupt();
        databaseWatch.close();
        State last;
        synchronized (this) {
            last = state;
            state = new State.Stopped();
        }
        if (last instanceof State.Running running) {
            running.close();
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
