/**
 * Runs relays and writers in separate processes on a real database, and kills, freezes, adds and removes relays while
 * events are written. Afterwards it compares the deliveries with the committed events.
 */
@NullMarked
package catbox.chaos;

import org.jspecify.annotations.NullMarked;
