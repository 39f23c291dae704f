/**
 * What the stages of the relay hand to each other: an event to be delivered, and what came of it.
 *
 * <p>Stages do not know each other. They know these, and the loop that joins them knows all.
 */
@NullMarked
package outbox.relay.internal.model;

import org.jspecify.annotations.NullMarked;
