package outbox.spi.relay;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How relays share the events of one table. All of them must agree. */
public enum ClaimStrategy {
    /** Partitions are slots, spread over the live nodes; a slot's owner needs no claim per row. */
    PARTITIONED,
    /** One live node owns all slots; the others stand by. */
    PRIMARY,
    /** No ownership: rows are claimed one by one with a token and a lease. Keeps no order across nodes. */
    LEASE;

    /** The word that settings and {@code outbox_meta} have for it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The strategy of a word; empty for a word of no relay, such as a dispatcher's. */
    public static Optional<ClaimStrategy> of(@Nullable String word) {
        return Stream.of(values()).filter(each -> each.label().equals(word)).findFirst();
    }

    /** Whether nodes own slots. */
    public boolean usesPartitions() {
        return this != LEASE;
    }
}
