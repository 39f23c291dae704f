/**
 * Order: lanes, one per key.
 *
 * <p>Takes pending events in the order of the table; gives those that may be delivered now. Promises that a key has at most
 * one call in flight, that a key which waits blocks only itself, and that memory stays within its limits. Never reads the
 * store or a clock, and never decides what follows from an outcome.
 */
@NullMarked
package outbox.relay.internal.order;

import org.jspecify.annotations.NullMarked;
