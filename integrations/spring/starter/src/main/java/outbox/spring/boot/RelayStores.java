package outbox.spring.boot;

import outbox.relay.RelayNode;

/**
 * The stores of one relay.
 *
 * @param closing gives back what is kept for them, once the relay has stopped
 */
record RelayStores(RelayNode.Stores stores, Runnable closing) {}
