package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import outbox.spi.operations.StatisticsStore;

/** Actuator endpoint {@code outbox}. It shows the configuration, without secrets, and the current state. */
@Endpoint(id = "outbox")
final class OutboxEndpoint {

    /** Limits what counting may cost, whatever the number of events is. */
    private static final int SAMPLE_MAX = 1_000;

    private final OutboxProperties properties;
    private final OutboxStore store;
    private final EventDelivery delivery;
    private final ConfiguredRoutes configured;
    private final StatisticsStore statistics;

    OutboxEndpoint(
            OutboxProperties properties,
            OutboxStore store,
            EventDelivery delivery,
            ConfiguredRoutes configured,
            StatisticsStore statistics) {
        this.properties = properties;
        this.store = store;
        this.delivery = delivery;
        this.configured = configured;
        this.statistics = statistics;
    }

    @ReadOperation
    public Map<String, Object> outbox() {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("table", properties.table());
        description.put("store", store.description());
        description.put("delivery", properties.delivery());
        description.put("details", delivery.details());
        // Only their kinds, because settings of a destination may hold secrets.
        Map<String, String> kinds = new LinkedHashMap<>();
        configured.destinations().forEach((name, plan) -> kinds.put(name, plan.kind()));
        description.put("destinations", kinds);
        description.put(
                "routes",
                configured.routes() == null
                        ? List.of()
                        : configured.routes().table().toString().lines().toList());
        description.put("statistics", statistics.statistics(SAMPLE_MAX));
        return description;
    }
}
