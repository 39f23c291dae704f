package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.message.Template;
import outbox.model.Delivery;

final class RouteTest {

    private static final EventEnvelope EVENT = EventEnvelope.builder("OrderPlaced")
            .aggregateType("Order")
            .payloadJson("{}")
            .build();
    private static final RabbitMqConfig.Publishing TO_QUEUE =
            new RabbitMqConfig.Publishing(null, Template.parse("{eventType}"), true, true);
    private static final RabbitMqConfig.Publishing TO_EXCHANGE = new RabbitMqConfig.Publishing(
            Template.parse("{aggregateType}-events"), Template.parse("{aggregateType}.{eventType}"), true, true);

    @Test
    void fillsTheTemplatesFromTheEvent() {
        assertThat(route(TO_QUEUE, null)).isEqualTo(new Route("", "OrderPlaced"));
        assertThat(route(TO_EXCHANGE, null)).isEqualTo(new Route("Order-events", "Order.OrderPlaced"));
    }

    @Test
    void takesAnAddressAsTheRoutingKey() {
        assertThat(route(TO_EXCHANGE, "urgent")).isEqualTo(new Route("Order-events", "urgent"));
    }

    @Test
    void takesAnAddressWithASlashAsExchangeAndRoutingKey() {
        assertThat(route(TO_EXCHANGE, "other/urgent")).isEqualTo(new Route("other", "urgent"));
        assertThat(route(TO_EXCHANGE, "other/a/b")).isEqualTo(new Route("other", "a/b"));
        assertThat(route(TO_EXCHANGE, "/queue")).isEqualTo(new Route("", "queue"));
        assertThat(route(TO_EXCHANGE, "fanout/")).isEqualTo(new Route("fanout", ""));
    }

    @Test
    void refusesNamesThatExceedTheProtocolsLimit() {
        assertThat(route(TO_QUEUE, "x".repeat(255)).routingKey()).hasSize(255);
        assertThatThrownBy(() -> route(TO_QUEUE, "x".repeat(256)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the routing key has 256 bytes");
        assertThatThrownBy(() -> route(TO_QUEUE, "é".repeat(128) + "/key"))
                .hasMessageContaining("the exchange has 256 bytes");
    }

    @Test
    void refusesAnEventWithoutAValueThatATemplateNeeds() {
        EventEnvelope bare = EventEnvelope.ofJson("OrderPlaced", "{}");

        assertThatThrownBy(() -> Route.of(new Delivery(bare, 1), TO_EXCHANGE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("aggregateType");
    }

    private static Route route(RabbitMqConfig.Publishing publishing, String address) {
        return Route.of(new Delivery(EVENT, 1, address, Delivery.NO_PARTITION), publishing);
    }
}
