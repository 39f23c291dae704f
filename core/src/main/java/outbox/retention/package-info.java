/** Upkeep: removes done events that nobody needs any more, in small steps and on a schedule. */
@NullMarked
package outbox.retention;

import org.jspecify.annotations.NullMarked;
