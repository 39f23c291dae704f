package outbox.spi.relay;

/**
 * A node's ownership of a partition. The epoch rises with every acquisition, so a node that lost the partition matches
 * nothing.
 *
 * @param owner the session of the owning node
 */
public record PartitionOwnership(int partition, long epoch, String owner) {

    /** The token of claims under this ownership. */
    public String token() {
        return partition + "@" + epoch;
    }
}
