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
 * How routes share a slot: the turns of delivery and the memory, both by weight.
 *
 * <p>Turns: each route is charged for what it was given, divided by its weight, and the one that was charged least
 * comes first; so a flood of one leaves the others their part, and nobody is starved.
 *
 * <p>Memory: a route may have all of it as long as nobody else is kept waiting. When the memory is full and stays so,
 * a route that has more than its share is said to be crowding: it is cut down to its share and kept there until it
 * has fallen well below.
 */
final class RouteShares {

    private static final int ROUTES_KNOWN_MAX = 1_000;

    private final int eventsMax;
    private final Map<String, Account> accounts = new LinkedHashMap<>();
    /** The same by the routes themselves: routers give the same ones again and again. */
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
     * Other routes, or other weights, from now on. Nobody is crowding any more, and the lanes that waited for that are
     * given back.
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

    // ---- turns ---------------------------------------------------------------------------------------------------

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

    // A route that was silent for long must not come back with a credit that shuts out the others.
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

    /** A lane that may be looked up now that there is room, if one was deferred. */
    @Nullable
    Lane nextDeferred(Route route) {
        return isOverShare(route) ? null : account(route).deferred.pollFirst();
    }

    /** Whether the route is to get no more memory for now. */
    boolean isOverShare(Route route) {
        Account account = account(route);
        return account.crowding && account.events >= share(account);
    }

    /** Whether the route may have as much memory as there is, or has so little that more of it is to be read. */
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
