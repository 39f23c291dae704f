package outbox.spi.relay;

/**
 * What all relays of one table agree on.
 *
 * @param partitions how many slots the table has; meaningless to {@link ClaimStrategy#LEASE}
 */
public record ClusterLayout(ClaimStrategy strategy, int partitions) {

    public static final int PARTITIONS_MAX = 1_024;

    public ClusterLayout {
        if (partitions < 1 || partitions > PARTITIONS_MAX) {
            throw new IllegalArgumentException(
                    "partitions must be from 1 to " + PARTITIONS_MAX + ", was " + partitions);
        }
    }

    /** The slot that a key's events belong to. */
    public int partitionOf(int keyHash) {
        return keyHash % partitions;
    }

    @Override
    public String toString() {
        return strategy.usesPartitions() ? strategy.label() + " with " + partitions + " partitions" : strategy.label();
    }
}
