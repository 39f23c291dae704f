/**
 * Cluster: who is alive, and who is to own which slot.
 *
 * <p>Takes the registry as the store shows it; gives the slots that this node is to have. Promises that slots move as
 * little as possible, and that a node stops by its own monotonic clock before the store would let another take over.
 * Never reads events.
 */
@NullMarked
package outbox.relay.cluster;

import org.jspecify.annotations.NullMarked;
