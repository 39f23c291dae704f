package outbox.rabbitmq;

import org.jspecify.annotations.Nullable;

/**
 * What a broker can refuse: an exchange, or one routing key at it.
 *
 * @param exchange empty: the default exchange
 * @param routingKey null: all of them
 */
record Place(String exchange, @Nullable String routingKey) implements Apart {

    /** What the broker calls the default exchange, which has no name. */
    private static final String DEFAULT = "amq.default";

    /** By the names that the broker uses. */
    static Place of(String exchange, @Nullable String routingKey) {
        return new Place(exchange.equals(DEFAULT) ? "" : exchange, routingKey);
    }

    /** All of the exchange. */
    static Place exchangeOf(Route route) {
        return new Place(route.exchange(), null);
    }

    /** The one routing key. */
    static Place of(Route route) {
        return new Place(route.exchange(), route.routingKey());
    }

    boolean contains(Route route) {
        return exchange.equals(route.exchange()) && (routingKey == null || routingKey.equals(route.routingKey()));
    }
}
