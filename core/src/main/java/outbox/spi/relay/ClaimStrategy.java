package outbox.spi.relay;

import java.util.Locale;

/** How relays share the events of one table. All of them must agree. */
public enum ClaimStrategy {
    /** Partitions are slots, spread over the live nodes; a slot's owner needs no claim per row. */
    PARTITIONED,
    /** One live node owns all slots; the others stand by. */
    PRIMARY,
    /** No ownership: rows are claimed one by one with a token and a lease. Keeps no order across nodes. */
    LEASE;

    /** The word that settings and {@code outbox_meta} have for it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether nodes own slots. */
    public boolean hasSlots() {
        return this != LEASE;
    }
}
