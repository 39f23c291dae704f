package outbox.spi.relay;

/**
 * A slot that was taken.
 *
 * @param deaths how many owners before this one ended, froze or were cut off, since the last that outlived its
 *     predecessors
 */
public record AcquiredPartition(PartitionOwnership ownership, int deaths) {}
