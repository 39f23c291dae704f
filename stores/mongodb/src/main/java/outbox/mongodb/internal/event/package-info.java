/**
 * The events: insert, claim, settle and purge documents, and set aside those that cannot be read.
 *
 * <p>{@link outbox.mongodb.internal.event.Seq} explains the order of events.
 */
@NullMarked
package outbox.mongodb.internal.event;

import org.jspecify.annotations.NullMarked;
