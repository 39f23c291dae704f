/**
 * Claim: looks into the store for pending events and hands them to the dispatcher.
 *
 * <p>Takes nothing but time and wake-ups. Gives claimed events to the cold queue, never more than it can take.
 * Promises that a look is followed by another while there is more, that a row which cannot be decoded is dead and
 * not lost, and that no failure of the store ends it. Never delivers and never retries.
 */
@NullMarked
package outbox.poller;

import org.jspecify.annotations.NullMarked;
