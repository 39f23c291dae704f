/**
 * Claim: reads the pending events of partitions.
 *
 * <p>Takes free memory; gives events in the order of the table. Promises that it skips no event that will ever be visible,
 * however late its transaction commits, and that it does not read rows again where the store shows that this is safe.
 * Never delivers and never settles.
 */
@NullMarked
package outbox.relay.internal.claim;

import org.jspecify.annotations.NullMarked;
