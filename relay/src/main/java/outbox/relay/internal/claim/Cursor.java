package outbox.relay.internal.claim;

import outbox.spi.relay.PartitionFetch;

/**
 * Where a partition is to be fetched from. A page comes back together with its cursor, and is accepted only if nothing has
 * changed since that makes it out of date.
 *
 * @param removals how much had left memory or the skipped lanes when the cursor was made
 */
public record Cursor(PartitionFetch request, long removals) {}
