package outbox.relay.internal.deliver;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import outbox.relay.DestinationConfig;
import outbox.relay.observe.RelayListener;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.spi.TimeSource;

/**
 * The gates of the current destinations. Gates are added, replaced and removed while partitions work: a loop asks for the
 * gate with each call, so a call in flight ends at the gate where it began, and the next call uses the new one. No key has
 * two calls in flight, so none loses its order.
 */
public final class DestinationGates {

    private final DestinationGate drop;
    /** Replaced as a whole, under this; read by any thread. Keeps its order: runs must be repeatable. */
    private volatile Map<String, DestinationGate> byName;

    public DestinationGates(Map<String, DestinationGate> gates, TimeSource time, RelayListener listener) {
        gates.keySet().forEach(DestinationGates::requireName);
        this.byName = Collections.unmodifiableMap(new LinkedHashMap<>(gates));
        this.drop =
                new DestinationGate(Route.DROP, new DropDestination(), DestinationConfig.defaults(), time, listener);
    }

    private static void requireName(String name) {
        if (name.equals(Route.DROP)) {
            throw new IllegalArgumentException("a destination must not be named " + Route.DROP
                    + ", which is the destination of events that are not to be delivered");
        }
    }

    /** The gate of a route's destination; null when the destination was removed, and the route with it. */
    @Nullable
    public DestinationGate of(Route route) {
        return route.destination().equals(Route.DROP) ? drop : byName.get(route.destination());
    }

    public Optional<DestinationGate> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public Set<String> names() {
        return byName.keySet();
    }

    public Collection<DestinationGate> all() {
        return byName.values();
    }

    /** Refuses a router that leads to an unknown destination. */
    public void require(Router router) {
        for (Route route : router.routes()) {
            if (of(route) == null) {
                throw new IllegalArgumentException("route " + route.name() + " leads to destination "
                        + route.destination() + ", and the destinations are " + names());
            }
        }
    }

    /**
     * Checks the connections that are down and due to be checked.
     *
     * @param executor runs each check, which may take as long as the timeout
     */
    public void checkOnce(Executor executor, Duration timeout) {
        for (DestinationGate gate : all()) {
            if (gate.takeCheck()) {
                executor.execute(() -> gate.check(timeout));
            }
        }
    }

    /** Puts a gate in place, and returns the one that it replaces. */
    public synchronized Optional<DestinationGate> put(DestinationGate gate) {
        requireName(gate.name());
        Map<String, DestinationGate> next = new LinkedHashMap<>(byName);
        Optional<DestinationGate> before = Optional.ofNullable(next.put(gate.name(), gate));
        byName = Collections.unmodifiableMap(next);
        return before;
    }

    public synchronized Optional<DestinationGate> remove(String name) {
        Map<String, DestinationGate> next = new LinkedHashMap<>(byName);
        Optional<DestinationGate> before = Optional.ofNullable(next.remove(name));
        byName = Collections.unmodifiableMap(next);
        return before;
    }
}
