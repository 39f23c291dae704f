package outbox.relay.internal.claim;

import outbox.spi.relay.PartitionFetch;

/**
 * From where a slot is to be read on. Whoever reads there gives the page back together with the cursor, and it is taken
 * only if nothing has changed since that makes it out of date.
 *
 * @param removals how much had left the slot's memory, or its passed lanes, when the cursor was made
 */
public record Cursor(PartitionFetch request, long removals) {}
