/**
 * How every source goes, once a second and for the last quarter of an hour. Takes what relays tell and, now and then,
 * one look at the statistics of each store; gives the same pulses to everybody who watches. Costs no query per watcher.
 */
@NullMarked
package catbox.server.pulse;

import org.jspecify.annotations.NullMarked;
