/**
 * Live figures of every source, one sample a second for the last 15 minutes. Takes the events of relays and, every few
 * seconds, the statistics of each store; gives the same figures to all watchers. A watcher costs no query.
 */
@NullMarked
package catbox.server.pulse;

import org.jspecify.annotations.NullMarked;
