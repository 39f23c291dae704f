/** Registers listeners for event types. Listeners may be added and removed while events are delivered. */
@NullMarked
package outbox.registry;

import org.jspecify.annotations.NullMarked;
