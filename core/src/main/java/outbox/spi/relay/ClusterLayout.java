package outbox.spi.relay;

/**
 * The claim strategy and the number of partitions, the same for all relays of a table.
 *
 * @param partitions how many partitions the table has; not used by {@link ClaimStrategy#LEASE}
 */
public record ClusterLayout(ClaimStrategy strategy, int partitions) {

    public static final int PARTITIONS_MAX = 1_024;

    public ClusterLayout {
        if (partitions < 1 || partitions > PARTITIONS_MAX) {
            throw new IllegalArgumentException(
                    "partitions must be from 1 to " + PARTITIONS_MAX + ", was " + partitions);
        }
    }

    /** The partition of a key's events. */
    public int partitionOf(int keyHash) {
        return keyHash % partitions;
    }

    @Override
    public String toString() {
        return strategy.usesPartitions() ? strategy.label() + " with " + partitions + " partitions" : strategy.label();
    }
}
