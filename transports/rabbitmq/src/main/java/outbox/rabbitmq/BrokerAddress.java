package outbox.rabbitmq;

import org.jspecify.annotations.Nullable;

/**
 * An address that a broker can refuse: an exchange, or one routing key at it.
 *
 * @param exchange empty: the default exchange
 * @param routingKey null: all of them
 */
record BrokerAddress(String exchange, @Nullable String routingKey) implements Isolated {

    /** The broker's name for the default exchange, which has no name. */
    private static final String DEFAULT = "amq.default";

    /** Creates an address from the broker's own names. */
    static BrokerAddress of(String exchange, @Nullable String routingKey) {
        return new BrokerAddress(exchange.equals(DEFAULT) ? "" : exchange, routingKey);
    }

    /** Returns the route's whole exchange. */
    static BrokerAddress exchangeOf(Route route) {
        return new BrokerAddress(route.exchange(), null);
    }

    /** Returns the route's one routing key. */
    static BrokerAddress of(Route route) {
        return new BrokerAddress(route.exchange(), route.routingKey());
    }

    boolean contains(Route route) {
        return exchange.equals(route.exchange()) && (routingKey == null || routingKey.equals(route.routingKey()));
    }
}
