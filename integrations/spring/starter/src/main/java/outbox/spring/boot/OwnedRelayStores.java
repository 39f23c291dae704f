package outbox.spring.boot;

import outbox.spi.relay.RelayStores;

/**
 * The stores of one relay.
 *
 * @param closing gives back what is kept for them, once the relay has stopped
 */
record OwnedRelayStores(RelayStores stores, Runnable closing) {}
