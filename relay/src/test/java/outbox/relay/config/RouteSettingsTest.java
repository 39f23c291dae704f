package outbox.relay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.relay.route.Route;
import outbox.spi.TimeSource;
import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture.Session;

class RouteSettingsTest {

    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);

    @Test
    void readsRoutesInTheirOrder() {
        RouteSettings plan = RouteSettings.read(List.of(
                Map.of("name", "noise", "match.event-type", "Debug*", "drop", "it is not read"),
                Map.of(
                        "name",
                        "orders",
                        "match.source",
                        "shop",
                        "match.aggregate-type",
                        "Order",
                        "match.tenant",
                        "acme",
                        "match.header.region",
                        "eu-*",
                        "to",
                        "kafka/orders.{aggregateType}, ledger//api/orders",
                        "weight",
                        "3",
                        "paused",
                        "true"),
                Map.of("name", "rest", "to", "kafka")));

        assertThat(plan.paused()).containsExactly("orders");
        assertThat(targets(plan, EventEnvelope.builder("DebugLine"))).containsExactly("drop");
        EventEnvelope.Builder order = EventEnvelope.builder("OrderPlaced")
                .aggregateType("Order")
                .tenantId("acme")
                .header("region", "eu-1");
        assertThat(targets(plan, order)).containsExactly("kafka/orders.{aggregateType}", "ledger//api/orders");
        assertThat(targets(plan, order.header("region", "us-1"))).containsExactly("kafka");
        assertThat(targets(plan, order.header("region", "eu-1").tenantId("other")))
                .containsExactly("kafka");
        assertThat(plan.table().forSource("other").routes())
                .extracting(Route::name)
                .containsExactly("noise", "rest");
        assertThat(plan.table().forSource("shop").routes())
                .extracting(Route::weight)
                .contains(3);
    }

    @Test
    void sendsEverythingToTheOnlyDestination() {
        assertThat(targets(RouteSettings.everythingTo("kafka"), EventEnvelope.builder("Any")))
                .containsExactly("kafka");
    }

    @Test
    void reportsEveryWrongRouteAtOnce() {
        assertThatThrownBy(() -> RouteSettings.read(List.of(
                        Map.of("to", "kafka"),
                        Map.of("name", "both", "to", "kafka", "drop", "why"),
                        Map.of("name", "heavy", "to", "kafka", "weight", "none"),
                        Map.of("name", "odd", "to", "kafka", "mach.tenant", "x"),
                        Map.of("name", "nowhere"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("route number 1: setting name is missing")
                .hasMessageContaining("route both: setting drop is given together with to")
                .hasMessageContaining("route heavy: setting weight must be a whole number from 1 to 1000")
                .hasMessageContaining(
                        "route odd: unknown settings [mach.tenant]; there are [drop, match.aggregate-type")
                .hasMessageContaining("route nowhere leads nowhere");
    }

    @Test
    void reportsOnlyTheWrongRoute() {
        assertThatThrownBy(() -> RouteSettings.read(List.of(Map.of("name", "heavy", "to", "kafka", "weight", "0"))))
                .hasMessage("route heavy: setting weight must be a whole number from 1 to 1000, was \"0\"");
        assertThatThrownBy(() -> RouteSettings.read(List.of())).hasMessage("there are no routes");
    }

    private List<String> targets(RouteSettings plan, EventEnvelope.Builder builder) {
        EventEnvelope event = builder.eventId(null).payloadJson("{}").build();
        try (Session session = store.newSession()) {
            session.begin();
            OutboxClient.storeOnly(session.store()).publish(event);
            session.commit();
        }
        return plan
                .table()
                .forSource("shop")
                .route(store.operatorStore().find(event.eventId()).orElseThrow())
                .stream()
                .map(Route::target)
                .toList();
    }
}
