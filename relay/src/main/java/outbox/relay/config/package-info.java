/**
 * Reads relays, destinations and routes from named settings, for everything that is configured by text: the server's
 * file, Spring properties. Takes text, gives the records of the engine; has no defaults of its own.
 */
@NullMarked
package outbox.relay.config;

import org.jspecify.annotations.NullMarked;
