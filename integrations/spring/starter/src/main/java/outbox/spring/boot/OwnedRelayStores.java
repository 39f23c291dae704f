package outbox.spring.boot;

import outbox.spi.relay.RelayStores;

/**
 * The stores of one relay.
 *
 * @param closing releases their resources, once the relay has stopped
 */
record OwnedRelayStores(RelayStores stores, Runnable closing) {}
