package outbox.spi.relay;

import outbox.spi.ClaimStore;

/** What a relay works on: the events of its partitions, the registry of nodes, and claims by lease. */
public record RelayStores(PartitionStore partitions, ClusterStore cluster, ClaimStore claims) {}
