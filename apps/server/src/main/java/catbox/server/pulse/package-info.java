/**
 * Live figures of every source, one sample a second, for the last quarter of an hour. Takes the events of the relays and
 * regular statistics of each store, and gives the same figures to all watchers. A watcher costs no query.
 */
@NullMarked
package catbox.server.pulse;

import org.jspecify.annotations.NullMarked;
