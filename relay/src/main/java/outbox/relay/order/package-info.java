/**
 * Order: lanes, one per key.
 *
 * <p>Takes pending events in the order of the table; gives those whose turn it is. Promises that a key has at most
 * one call under way, that a key which waits holds only itself, and that memory stays within its limits. Never reads
 * the store or a clock, and never decides what follows from an outcome.
 */
@NullMarked
package outbox.relay.order;

import org.jspecify.annotations.NullMarked;
