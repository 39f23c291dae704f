package outbox.spi.relay;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How relays share the events of one table. All relays of a table use the same strategy. */
public enum ClaimStrategy {
    /** The live nodes share the partitions; the owner of a partition needs no claim per row. */
    PARTITIONED,
    /** One live node owns all partitions; the others stand by. */
    PRIMARY,
    /** No ownership: rows are claimed one by one with a token and a lease. Keeps no order across nodes. */
    LEASE;

    /** The name of the strategy in settings and in {@code outbox_meta}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The strategy with this label; empty for other labels, such as that of dispatchers. */
    public static Optional<ClaimStrategy> of(@Nullable String label) {
        return Stream.of(values()).filter(each -> each.label().equals(label)).findFirst();
    }

    /** Whether nodes own partitions. */
    public boolean usesPartitions() {
        return this != LEASE;
    }
}
