/**
 * Settle: decides what follows from outcomes, and writes it.
 *
 * <p>Takes outcomes; gives what was written. Promises one short fenced transaction per batch, and that a batch whose reply
 * was lost can be written again. The decision itself is a pure function, {@link outbox.internal.SettleRule}.
 */
@NullMarked
package outbox.relay.internal.settle;

import org.jspecify.annotations.NullMarked;
