/**
 * Node: one member of the cluster.
 *
 * <p>Takes the registry as the store shows it; decides which partitions this node owns, starts their loops and stops them.
 * Promises that partitions move as little as possible, and that a node stops by its own monotonic clock before the store
 * lets another node take over. Never reads events.
 */
@NullMarked
package outbox.relay.internal.node;

import org.jspecify.annotations.NullMarked;
