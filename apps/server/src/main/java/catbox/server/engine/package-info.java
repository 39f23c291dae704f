/**
 * Runs the server's relays, one for each source. Takes plans, retries until a source's database can be used, and applies
 * changed routes, destinations and pauses to running relays. Knows neither the file nor the web.
 */
@NullMarked
package catbox.server.engine;

import org.jspecify.annotations.NullMarked;
