package outbox.rabbitmq;

import outbox.internal.Utf8;
import outbox.model.Delivery;

/**
 * The exchange and the routing key of a message.
 *
 * @param exchange empty: the default exchange
 */
record Route(String exchange, String routingKey) {

    /** The protocol's limit. */
    private static final int BYTES_MAX = 255;

    Route {
        require("exchange", exchange);
        require("routing key", routingKey);
    }

    private static void require(String what, String text) {
        if (Utf8.length(text) > BYTES_MAX) {
            throw new IllegalArgumentException("the " + what + " has " + Utf8.length(text) + " bytes, allowed are "
                    + BYTES_MAX + ": " + text.substring(0, 40) + "...");
        }
    }

    /**
     * Returns the route of a delivery's address, or the destination's default. An address is a routing key, or an
     * exchange and a routing key with a slash between them. An address that begins with a slash means the default
     * exchange.
     *
     * @throws IllegalArgumentException when the event lacks what a template needs, or a name is too long
     */
    static Route of(Delivery delivery, RabbitMqConfig.Publishing publishing) {
        String address = delivery.address();
        int slash = address == null ? -1 : address.indexOf('/');
        if (address != null && slash >= 0) {
            return new Route(address.substring(0, slash), address.substring(slash + 1));
        }
        String exchange =
                publishing.exchange() == null ? "" : publishing.exchange().fill(delivery.event());
        return new Route(exchange, address == null ? publishing.routingKey().fill(delivery.event()) : address);
    }

    /** Describes the route for errors, and as the address of delivered events. */
    @Override
    public String toString() {
        return exchange.isEmpty() ? routingKey : exchange + "/" + routingKey;
    }
}
