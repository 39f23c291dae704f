/**
 * Settle: writes what follows from outcomes.
 *
 * <p>Takes verdicts; gives word of what was written. Promises one short fenced transaction per batch, and that a batch
 * whose answer was lost can be written again. Never decides: the rule does, and is a pure function.
 */
@NullMarked
package outbox.relay.settle;

import org.jspecify.annotations.NullMarked;
