package catbox.server.engine;

import catbox.server.config.Routing;
import catbox.server.config.SourcePlan;
import java.util.List;
import outbox.relay.Relay;
import outbox.relay.RelayBuilder;
import outbox.relay.config.DestinationSettings;
import outbox.relay.observe.RecentDeliveries;
import outbox.relay.observe.RelayListener;

/** Starts relays of one source. If anything fails, everything that was opened is closed again. */
final class RelayStarter {

    private final SourcePlan plan;
    private final RecentDeliveries deliveries;
    private final List<RelayListener> listeners;

    /**
     * Starts nothing yet.
     *
     * @param deliveries remembers where events have arrived
     * @param listeners of each relay
     */
    RelayStarter(SourcePlan plan, RecentDeliveries deliveries, List<RelayListener> listeners) {
        this.plan = plan;
        this.deliveries = deliveries;
        this.listeners = List.copyOf(listeners);
    }

    /** Connects to the database, opens the destinations, and starts a relay with these routes and pauses. */
    Source.State.Running start(Routing routing, boolean paused) {
        SourceDatabase database = SourceDatabase.open(plan);
        try {
            database.prepareTables();
            Relay relay = build(database, routing);
            return new Source.State.Running(started(relay, routing, paused), database);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private Relay build(SourceDatabase database, Routing routing) {
        OpenDestinations destinations = open(routing.destinationsOf(plan.name()).values());
        try {
            RelayBuilder builder = Relay.on(database.stores(), plan.relay().config())
                    .workers(plan.relay().workers())
                    .router(routing.router(plan.name()));
            listeners.forEach(builder::listener);
            destinations
                    .all()
                    .forEach((to, destination) -> builder.destination(to.name(), destination, to.treatment()));
            plan.relay()
                    .retention()
                    .ifPresent(times -> builder.retention(database.adminStores().retention(), times));
            if (plan.listens()) {
                builder.channel(database.wakeUpChannel());
            }
            return builder.build();
        } catch (RuntimeException e) {
            destinations.close();
            throw e;
        }
    }

    private static Relay started(Relay relay, Routing routing, boolean paused) {
        try {
            relay.pause(routing.pauses(paused));
            relay.start();
            return relay;
        } catch (RuntimeException e) {
            relay.close(); // Closes the destinations too.
            throw e;
        }
    }

    /** Opens destinations for a relay of the source. */
    OpenDestinations open(Iterable<DestinationSettings> destinations) {
        return OpenDestinations.open(plan.name(), deliveries, destinations);
    }
}
