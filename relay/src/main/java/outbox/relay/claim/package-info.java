/**
 * Claim: reads what is pending in a slot.
 *
 * <p>Takes room; gives events in the order of the table. Promises that no event which will ever be visible is skipped,
 * however late its transaction commits, and that rows are not read again where the store can tell that this is safe.
 * Never keeps events, and never writes.
 */
@NullMarked
package outbox.relay.claim;

import org.jspecify.annotations.NullMarked;
