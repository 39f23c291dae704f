package catbox.server.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.relay.config.DestinationSettings;
import outbox.relay.observe.RecentDeliveries;
import outbox.spi.Destination;

/** Destinations of one source that were opened together, all or none. */
final class OpenDestinations {

    private final Map<DestinationSettings, Destination> opened = new LinkedHashMap<>();

    /**
     * Opens them.
     *
     * @param deliveries remembers where events have arrived
     * @throws RuntimeException of the first that cannot be opened, after those before it were closed
     */
    static OpenDestinations open(String source, RecentDeliveries deliveries, Iterable<DestinationSettings> plans) {
        OpenDestinations all = new OpenDestinations();
        try {
            for (DestinationSettings plan : plans) {
                all.opened.put(plan, deliveries.remembering(plan.name(), plan.open(source)));
            }
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    Map<DestinationSettings, Destination> all() {
        return opened;
    }

    /** Closes them if no relay has taken them. */
    void close() {
        opened.values().forEach(Destination::close);
    }
}
