package outbox.testkit.simulation;

import java.util.List;
import java.util.Optional;
import outbox.model.ClaimStrategy;
import outbox.model.OutboxEvent;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.relay.settle.SettleConfig.DeadKey;

/**
 * What kind of run a seed is.
 *
 * @param strategy what the run begins with; those with slots are exchanged for each other while it goes on
 * @param tellsHorizon whether the store can tell up to where nothing more will become visible
 * @param replays whether the operator replays dead events
 * @param routes one per type of event
 */
record Scenario(
        Faults faults,
        ClaimStrategy strategy,
        boolean tellsHorizon,
        boolean replays,
        DeadKey deadKey,
        List<Route> routes) {

    static Scenario of(long seed, World world) {
        Faults faults = List.of(Faults.HARSH, Faults.GENTLE, Faults.NETWORK, Faults.DEATH)
                .get((int) Math.floorMod(seed, 4L));
        return new Scenario(
                faults,
                world.chance(0.12) ? ClaimStrategy.LEASE : ClaimStrategy.PARTITIONED,
                world.chance(0.7),
                world.chance(0.4),
                world.chance(0.3) ? DeadKey.HALT : DeadKey.RELEASE,
                world.chance(0.7) ? List.of(Route.to("here")) : twoRoutes(world));
    }

    private static List<Route> twoRoutes(World world) {
        return List.of(
                Route.to("here").withWeight(world.random.nextInt(1, 4)),
                Route.to("there").withWeight(world.random.nextInt(1, 4)));
    }

    boolean keepsOrder() {
        return strategy.hasSlots();
    }

    /** The types of events, which are the names of the routes. */
    List<String> types() {
        return routes.stream().map(Route::name).toList();
    }

    Router router() {
        List<Route> all = routes;
        return new Router() {
            @Override
            public Optional<Route> route(OutboxEvent event) {
                return all.stream()
                        .filter(route -> route.name().equals(event.eventType()))
                        .findFirst();
            }

            @Override
            public List<Route> routes() {
                return all;
            }
        };
    }
}
