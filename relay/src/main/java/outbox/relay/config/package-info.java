/**
 * Reads relays, destinations and routes from named settings: the server's file and Spring properties. Takes text, gives
 * the configuration records of the relay, and has no defaults of its own.
 */
@NullMarked
package outbox.relay.config;

import org.jspecify.annotations.NullMarked;
