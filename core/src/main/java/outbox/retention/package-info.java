/** Removes old done events, in small steps and on a schedule. */
@NullMarked
package outbox.retention;

import org.jspecify.annotations.NullMarked;
