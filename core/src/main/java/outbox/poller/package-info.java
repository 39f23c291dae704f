/**
 * Claims pending events in the store and hands them to the dispatcher.
 *
 * <p>Takes time and wake-ups. Gives claimed events to the cold queue, never more than it can take. Promises that it
 * polls again while there is more, that a row which cannot be decoded becomes dead and is not lost, and that no failure
 * of the store ends it. Never delivers and never retries.
 */
@NullMarked
package outbox.poller;

import org.jspecify.annotations.NullMarked;
