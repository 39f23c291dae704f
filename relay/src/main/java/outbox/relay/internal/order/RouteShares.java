package outbox.relay.internal.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.relay.route.Route;

/**
 * Divides a partition between its routes by their weight: deliveries and memory.
 *
 * <p>Deliveries: each route is charged for the events it was given, divided by its weight, and the route that was charged
 * least comes first. So a flood of one route leaves the others their part, and none starves.
 *
 * <p>Memory: a route may have all of it while no other route waits. When the memory is full and stays full, a route that has
 * more than its share is <i>crowding</i>: it is cut down to its share and kept there until it has fallen well below.
 */
final class RouteShares {

    private static final int ROUTES_KNOWN_MAX = 1_000;

    private final int eventsMax;
    private final Map<String, Account> accounts = new LinkedHashMap<>();
    /** The same by the routes themselves: routers return the same objects again and again. */
    private final IdentityHashMap<Route, Account> byRoute = new IdentityHashMap<>();

    /** What one route has. */
    private static final class Account {
        Route route;
        final ArrayDeque<Lane> ready = new ArrayDeque<>();
        final ArrayDeque<Lane> deferred = new ArrayDeque<>();
        int events;
        double charged;
        boolean crowding;

        Account(Route route) {
            this.route = route;
        }
    }

    RouteShares(int eventsMax, Collection<Route> routes) {
        this.eventsMax = eventsMax;
        routes.forEach(this::account);
    }

    private Account account(Route route) {
        Account account = byRoute.get(route);
        if (account == null) {
            account = accounts.computeIfAbsent(route.id(), id -> new Account(route));
            if (byRoute.size() >= ROUTES_KNOWN_MAX) {
                byRoute.clear(); // A router that makes new ones each time must not fill the memory.
            }
            byRoute.put(route, account);
        }
        return account;
    }

    /**
     * Replaces the routes or their weights. No route is crowding any more; returns the lanes that waited for that.
     */
    List<Lane> replace(Collection<Route> routes) {
        List<Lane> waiting = new ArrayList<>();
        for (Account account : accounts.values()) {
            waiting.addAll(account.deferred);
            account.deferred.clear();
            account.crowding = false;
        }
        accounts.values().removeIf(account -> account.events == 0 && account.ready.isEmpty());
        byRoute.clear();
        routes.forEach(route -> account(route).route = route);
        return waiting;
    }

    // ---- deliveries ----------------------------------------------------------------------------------------------

    ArrayDeque<Lane> ready(Route route) {
        return account(route).ready;
    }

    List<Route> readyRoutes() {
        if (!hasReady()) {
            return List.of();
        }
        List<Account> ready = new ArrayList<>(accounts.size());
        for (Account account : accounts.values()) {
            if (!account.ready.isEmpty()) {
                ready.add(account);
            }
        }
        ready.sort(Comparator.comparingDouble(account -> account.charged));
        return ready.stream().map(account -> account.route).toList();
    }

    private boolean hasReady() {
        for (Account account : accounts.values()) {
            if (!account.ready.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    void charge(Route route, int events) {
        Account account = account(route);
        account.charged += (double) events / route.weight();
        limitCredit(account);
    }

    // A route that had no events for long must not come back with a credit that shuts out the others.
    private void limitCredit(Account latest) {
        for (Account account : accounts.values()) {
            double behind = latest.charged - account.charged;
            double creditMax = (double) eventsMax / account.route.weight();
            if (behind > creditMax) {
                account.charged = latest.charged - creditMax;
            }
        }
    }

    // ---- memory --------------------------------------------------------------------------------------------------

    void added(Route route) {
        account(route).events++;
    }

    void removed(Route route) {
        Account account = account(route);
        account.events--;
        if (account.crowding && hasDroppedBelowShare(account)) {
            account.crowding = false;
        }
    }

    private boolean hasDroppedBelowShare(Account account) {
        return account.deferred.isEmpty() && account.events <= share(account) / 2;
    }

    /** The routes that keep lanes waiting; usually none. */
    List<Route> routesWithDeferred() {
        List<Route> routes = null;
        for (Account account : accounts.values()) {
            if (!account.deferred.isEmpty()) {
                routes = routes == null ? new ArrayList<>() : routes;
                routes.add(account.route);
            }
        }
        return routes == null ? List.of() : routes;
    }

    /** A deferred lane that may be fetched now that there is room; null for none. */
    @Nullable
    Lane nextDeferred(Route route) {
        return isOverShare(route) ? null : account(route).deferred.pollFirst();
    }

    /** Whether the route gets no more memory for now. */
    boolean isOverShare(Route route) {
        Account account = account(route);
        return account.crowding && account.events >= share(account);
    }

    /** Whether the route may have all the memory, or has so little that more of it is to be fetched. */
    boolean hasCapacity(Route route) {
        Account account = account(route);
        return !account.crowding || hasDroppedBelowShare(account);
    }

    void defer(Route route, Lane lane) {
        account(route).deferred.addLast(lane);
    }

    /** The routes that have more than their share of a memory that is full. */
    List<Route> crowding(int eventsInMemory) {
        List<Route> crowding = new ArrayList<>();
        if (accounts.size() > 1 && eventsInMemory >= eventsMax * 9 / 10) {
            for (Account account : accounts.values()) {
                if (account.events > share(account)) {
                    account.crowding = true;
                    crowding.add(account.route);
                }
            }
        }
        return crowding;
    }

    int excess(Route route) {
        Account account = account(route);
        return account.events - share(account);
    }

    private int share(Account account) {
        long weights = 0;
        for (Account each : accounts.values()) {
            weights += each.route.weight();
        }
        return (int) Math.max(1, (long) eventsMax * account.route.weight() / weights);
    }
}
