/**
 * The relay: claims, orders, delivers and settles stored events.
 *
 * <p>{@link outbox.relay.Relay} is what an application starts; the records next to it are its settings. The stages are
 * in {@code outbox.relay.internal}, which no other module sees: {@code node} is one member of the cluster, {@code loop}
 * runs the stages of one partition, and {@code claim}, {@code order}, {@code deliver} and {@code settle} are the
 * stages.
 */
@NullMarked
package outbox.relay;

import org.jspecify.annotations.NullMarked;
