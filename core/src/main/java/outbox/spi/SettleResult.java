package outbox.spi;

import java.util.Collections;
import java.util.List;

/** The result of a {@link SettleRequest}. */
public sealed interface SettleResult {

    /** The node no longer owns the partition: nothing was written. */
    record Fenced() implements SettleResult {}

    /**
     * The partition is still the node's, or the fence is checked for each item.
     *
     * @param items one for each item of the request, in its order
     */
    record Settled(List<Item> items) implements SettleResult {

        public Settled {
            items = List.copyOf(items);
        }

        /** How many items were written. */
        public int written() {
            return Collections.frequency(items, Item.WRITTEN);
        }
    }

    /** Every item of a request of that size was written. */
    static SettleResult allWritten(int items) {
        return new Settled(Collections.nCopies(items, Item.WRITTEN));
    }

    /** The result of one item. */
    enum Item {
        WRITTEN,
        /** The event has changed since it was claimed: it was claimed again, settled, replayed or deleted. */
        CLAIM_LOST;

        public static Item written(boolean written) {
            return written ? WRITTEN : CLAIM_LOST;
        }
    }
}
