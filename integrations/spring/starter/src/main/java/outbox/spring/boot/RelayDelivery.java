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
import outbox.spi.Destination;
import outbox.spi.HotPath;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Pause;

/** Delivers through a relay in this process, which shares the table's partitions with the relays of other instances. */
final class RelayDelivery implements EventDelivery {

    private final OutboxStore store;
    private final RelaySettings settings;
    private final ConfiguredRoutes configured;
    private final WakeUps wakeUps;
    private final DeliveryObserver observer;

    /** Written by the thread that starts and stops the application, read by any. */
    private volatile @Nullable Running running;

    private record Running(Relay relay, OwnedRelayStores stores) {}

    RelayDelivery(
            OutboxStore store,
            RelaySettings settings,
            ConfiguredRoutes configured,
            WakeUps wakeUps,
            DeliveryObserver observer) {
        if (configured.destinations().isEmpty()) {
            throw new InvalidOutboxPropertiesException(
                    "outbox.destinations: outbox.delivery is relay, and a relay needs"
                            + " at least one destination to deliver to");
        }
        this.store = store;
        this.settings = settings;
        this.configured = configured;
        this.wakeUps = wakeUps;
        this.observer = observer;
    }

    @Override
    public HotPath start() {
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
                .router(routes().table().router());
        destinations.forEach((name, destination) ->
                builder.destination(name, destination, destination(name).treatment()));
        wakeUps.channel().ifPresent(builder::channel);
        settings.retention().ifPresent(retention -> builder.retention(store.retentionStore(), retention));
        return builder.build();
    }

    private Map<Pause.Subject, String> paused() {
        Map<Pause.Subject, String> reasons = new LinkedHashMap<>();
        routes().paused()
                .forEach(name -> reasons.put(new Pause.Subject(Pause.Kind.ROUTE, name), "paused by properties"));
        configured.destinations().values().stream()
                .filter(DestinationSettings::paused)
                .forEach(destination -> reasons.put(
                        new Pause.Subject(Pause.Kind.DESTINATION, destination.name()), "paused by properties"));
        return reasons;
    }

    private RouteSettings routes() {
        return Objects.requireNonNull(configured.routes(), "routes");
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
