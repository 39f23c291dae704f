/**
 * Wake-up: tells the owner of a slot that something was committed, at once and without the user's transaction noticing.
 *
 * <p>Takes word of commits; gives wake-ups, in process or through a channel. Promises that a burst becomes few
 * messages and that the last word of it is never swallowed. Never carries an event: the poll is behind it, and the
 * table is the truth.
 */
@NullMarked
package outbox.relay.wake;

import org.jspecify.annotations.NullMarked;
