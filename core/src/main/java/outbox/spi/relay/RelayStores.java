package outbox.spi.relay;

import outbox.spi.ClaimStore;

/** The ports of a relay: the events of its partitions, the registry of nodes, and claims by lease. */
public record RelayStores(PartitionStore partitions, ClusterStore cluster, ClaimStore claims) {}
