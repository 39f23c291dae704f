/**
 * The ports and records of a relay: partitions with fenced settlements, the registry of nodes, wake-ups.
 *
 * <p>A store implements {@link outbox.spi.relay.PartitionStore} and {@link outbox.spi.relay.ClusterStore} so that
 * relays can share its events. The ports know nothing of java.sql.
 */
@NullMarked
package outbox.spi.relay;

import org.jspecify.annotations.NullMarked;
