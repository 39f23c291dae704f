package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import outbox.spi.operations.StatisticsStore;

/** The Actuator's endpoint {@code outbox}: how it is set, without secrets, and how it stands. */
@Endpoint(id = "outbox")
final class OutboxEndpoint {

    /** Counts stop here, so that a look costs the same whatever has piled up. */
    private static final int SAMPLE_MAX = 1_000;

    private final OutboxProperties properties;
    private final OutboxStore store;
    private final EventDelivery delivery;
    private final ConfiguredRoutes ways;
    private final StatisticsStore statistics;

    OutboxEndpoint(
            OutboxProperties properties,
            OutboxStore store,
            EventDelivery delivery,
            ConfiguredRoutes ways,
            StatisticsStore statistics) {
        this.properties = properties;
        this.store = store;
        this.delivery = delivery;
        this.ways = ways;
        this.statistics = statistics;
    }

    @ReadOperation
    public Map<String, Object> outbox() {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("table", properties.table());
        told.put("store", store.place());
        told.put("delivery", properties.delivery());
        told.put("details", delivery.details());
        // Their kinds alone: the settings of a destination may hold secrets.
        Map<String, String> kinds = new LinkedHashMap<>();
        ways.destinations().forEach((name, plan) -> kinds.put(name, plan.kind()));
        told.put("destinations", kinds);
        told.put(
                "routes",
                ways.routes() == null
                        ? List.of()
                        : ways.routes().table().toString().lines().toList());
        told.put("statistics", statistics.statistics(SAMPLE_MAX));
        return told;
    }
}
