package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.relay.Relay;
import outbox.relay.RelayBuilder;
import outbox.relay.RelayStatus;
import outbox.relay.config.DestinationSettings;
import outbox.relay.config.RelaySettings;
import outbox.relay.config.RouteSettings;
import outbox.relay.route.Router;
import outbox.spi.Destination;
import outbox.spi.HotPath;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Pause;

/**
 * Delivers through a relay in this process, which shares the table's partitions with those of other instances: along the routes
 * and to {@link OutboxListener} methods.
 */
final class RelayDelivery implements EventDelivery {

    private final OutboxStore store;
    private final RelaySettings settings;
    private final ConfiguredRoutes configured;
    private final ListenerMethods methods;
    private final WakeUps wakeUps;
    private final DeliveryObserver observer;

    /** Written by the thread that starts and stops the application, read by any. */
    private volatile @Nullable Running running;

    private record Running(Relay relay, OwnedRelayStores stores) {}

    RelayDelivery(
            OutboxStore store,
            RelaySettings settings,
            ConfiguredRoutes configured,
            ListenerMethods methods,
            WakeUps wakeUps,
            DeliveryObserver observer) {
        this.store = store;
        this.settings = settings;
        this.configured = configured;
        this.methods = methods;
        this.wakeUps = wakeUps;
        this.observer = observer;
    }

    @Override
    public HotPath start() {
        if (configured.destinations().isEmpty() && methods.all().isEmpty()) {
            throw new InvalidOutboxPropertiesException(
                    "outbox.destinations: outbox.delivery is relay, and a relay needs"
                            + " at least one destination or @OutboxListener method to deliver to");
        }
        Map<String, Destination> destinations = configured.open(observer);
        OwnedRelayStores stores = store.relayStores(
                settings.workers(), settings.config().cluster().timeout());
        try {
            Relay relay = build(destinations, stores);
            relay.pause(paused());
            relay.start();
            running = new Running(relay, stores);
            observer.started(relay);
            return relay.hotPath();
        } catch (RuntimeException e) {
            destinations.values().forEach(Destination::close);
            stores.closing().run();
            throw e;
        }
    }

    private Relay build(Map<String, Destination> destinations, OwnedRelayStores stores) {
        RelayBuilder builder = observer.prepare(Relay.on(stores.stores(), settings.config()))
                .workers(settings.workers())
                .router(router());
        destinations.forEach((name, destination) ->
                builder.destination(name, destination, destination(name).treatment()));
        if (!methods.all().isEmpty()) {
            builder.listeners(methods.registry(observer));
        }
        wakeUps.channel().ifPresent(builder::channel);
        settings.retention().ifPresent(retention -> builder.retention(store.retentionStore(), retention));
        return builder.build();
    }

    private Router router() {
        RouteSettings routes = configured.routes();
        if (routes == null) {
            return Router.everythingTo(RelayBuilder.LISTENERS);
        }
        Router router = routes.table().router();
        return methods.all().isEmpty() ? router : new ListenersAndRoutes(methods::receives, router);
    }

    private Map<Pause.Subject, String> paused() {
        Map<Pause.Subject, String> reasons = new LinkedHashMap<>();
        if (configured.routes() != null) {
            configured
                    .routes()
                    .paused()
                    .forEach(name -> reasons.put(new Pause.Subject(Pause.Kind.ROUTE, name), "paused by properties"));
        }
        configured.destinations().values().stream()
                .filter(DestinationSettings::paused)
                .forEach(destination -> reasons.put(
                        new Pause.Subject(Pause.Kind.DESTINATION, destination.name()), "paused by properties"));
        return reasons;
    }

    private DestinationSettings destination(String name) {
        return Objects.requireNonNull(configured.destinations().get(name), name);
    }

    @Override
    public void stop() {
        Running was = running;
        running = null;
        if (was != null) {
            was.relay().close();
            was.stores().closing().run();
        }
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("node", settings.config().cluster().nodeId());
        details.put("claimStrategy", settings.config().terms().strategy());
        Running was = running;
        if (was != null) {
            RelayStatus now = was.relay().status();
            details.put("members", now.members());
            details.put("partitions", now.partitions());
            details.put("destinations", now.destinations());
        }
        details.put("listeners", methods.described());
        return details;
    }

    @Override
    public @Nullable String problem() {
        Running now = running;
        if (now == null) {
            return "the relay is not running";
        }
        String ended = EventDelivery.problemOf(now.relay().endedLoops());
        if (ended != null) {
            return ended;
        }
        ClusterView view = now.relay().status().cluster();
        return view == null
                ? "the relay is no member of its cluster; the log has the reason why its heartbeats fail"
                : null;
    }
}
