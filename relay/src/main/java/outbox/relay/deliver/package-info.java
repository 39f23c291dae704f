/**
 * Deliver: one attempt at each event, with a deadline.
 *
 * <p>Takes events whose turn it is; gives one outcome for each. Promises never to throw, to hand a destination no
 * more than it wants, and to leave it alone while its circuit breaker is open or somebody has paused it. Never retries
 * and never decides what follows.
 */
@NullMarked
package outbox.relay.deliver;

import org.jspecify.annotations.NullMarked;
