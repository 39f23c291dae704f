/**
 * Deliver: one attempt at each event, with a deadline.
 *
 * <p>Takes events that may be delivered now; gives one outcome for each. Promises never to throw, to give a destination no
 * more than it accepts, and to send nothing while its circuit breaker is open or an operator has paused it. Never retries
 * and never decides what follows.
 */
@NullMarked
package outbox.relay.internal.deliver;

import org.jspecify.annotations.NullMarked;
