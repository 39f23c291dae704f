package outbox.spi.relay;

/**
 * A node's ownership of a slot. The epoch is higher with every acquisition, so a node that lost the slot matches
 * nothing.
 *
 * @param owner the session of the owning node
 */
public record PartitionOwnership(int partition, long epoch, String owner) {

    /** What claims of events under this hold carry as their token. */
    public String token() {
        return partition + "@" + epoch;
    }
}
