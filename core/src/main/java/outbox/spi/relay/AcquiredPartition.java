package outbox.spi.relay;

/**
 * A partition that a node has acquired.
 *
 * @param deaths how many owners in a row before this one ended, froze or were cut off
 */
public record AcquiredPartition(PartitionOwnership ownership, int deaths) {}
