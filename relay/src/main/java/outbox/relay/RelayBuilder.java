package outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import outbox.PoolTooSmallException;
import outbox.registry.ListenerDestination;
import outbox.registry.ListenerRegistry;
import outbox.relay.observe.RelayListener;
import outbox.relay.route.Router;
import outbox.retention.RetentionConfig;
import outbox.spi.Destination;
import outbox.spi.RetentionStore;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** Builds a relay. */
public final class RelayBuilder {

    public static final int WORKERS_DEFAULT = 4;

    /** The name of the destination that {@link #listeners} adds. */
    public static final String LISTENERS = "listeners";

    private static final int LISTENER_MINUTES_MAX = 10;

    /** For heartbeats, assignment, peek and upkeep. */
    private static final int OWN_CONNECTIONS = 4;

    /** For the thread that listens for commits. */
    private static final int CHANNEL_CONNECTIONS = 1;

    final RelayStores stores;
    final RelayConfig config;
    final Map<String, Target> destinations = new LinkedHashMap<>();
    final List<RelayListener> listeners = new ArrayList<>();
    private @Nullable Router router;

    @Nullable
    WakeUpChannel channel;

    @Nullable
    RetentionStore retentionStore;

    RetentionConfig retention = RetentionConfig.defaults();
    TimeSource time = TimeSource.SYSTEM;
    int workers = WORKERS_DEFAULT;

    record Target(Destination destination, DestinationConfig config) {}

    RelayBuilder(RelayStores stores, RelayConfig config) {
        this.stores = stores;
        this.config = config;
    }

    public RelayBuilder destination(String name, Destination destination) {
        return destination(name, destination, DestinationConfig.defaults());
    }

    public RelayBuilder destination(String name, Destination destination, DestinationConfig treatment) {
        if (destinations.putIfAbsent(name, new Target(destination, treatment)) != null) {
            throw new IllegalArgumentException("there are two destinations named " + name);
        }
        return this;
    }

    /**
     * Calls these listeners, in order per key, as a destination named {@value #LISTENERS}. A listener may take
     * {@value #LISTENER_MINUTES_MAX} minutes. For other limits, add a {@link ListenerDestination} of your own.
     */
    public RelayBuilder listeners(ListenerRegistry registry) {
        return destination(
                LISTENERS,
                new ListenerDestination(registry),
                DestinationConfig.defaults().withDeadline(Duration.ofMinutes(LISTENER_MINUTES_MAX)));
    }

    /** Sets the routes; not needed with one destination. */
    public RelayBuilder router(Router chooser) {
        this.router = chooser;
        return this;
    }

    /** Sets the channel for wake-ups between processes, if the store has one. */
    public RelayBuilder channel(WakeUpChannel wakeUps) {
        this.channel = wakeUps;
        return this;
    }

    /** Removes old done events from this store. */
    public RelayBuilder retention(RetentionStore store, RetentionConfig settings) {
        this.retentionStore = store;
        this.retention = settings;
        return this;
    }

    public RelayBuilder listener(RelayListener listener) {
        listeners.add(listener);
        return this;
    }

    /** How many partitions run at the same time, each with a connection; default 4. */
    public RelayBuilder workers(int count) {
        if (count < 1 || count > 256) {
            throw new IllegalArgumentException("workers must be from 1 to 256, was " + count);
        }
        this.workers = count;
        return this;
    }

    public RelayBuilder time(TimeSource clocks) {
        this.time = clocks;
        return this;
    }

    Router router() {
        if (router != null) {
            return router;
        }
        if (destinations.size() != 1) {
            throw new IllegalArgumentException(
                    "with " + destinations.size() + " destinations a router has to choose between them");
        }
        return Router.everythingTo(destinations.keySet().iterator().next());
    }

    /**
     * Creates a relay that has not started yet.
     *
     * @throws PoolTooSmallException when the connection pool is too small for the workers
     */
    public Relay build() {
        int own = OWN_CONNECTIONS + (channel == null ? 0 : CHANNEL_CONNECTIONS);
        OptionalInt connections = stores.claims().connectionsMax();
        if (connections.isPresent() && connections.getAsInt() < workers + own) {
            throw new PoolTooSmallException(connections.getAsInt(), workers, own);
        }
        return new Relay(this);
    }
}
