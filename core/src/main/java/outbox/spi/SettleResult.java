package outbox.spi;

import java.util.Collections;
import java.util.List;

/** What came of a {@link SettleRequest}. */
public sealed interface SettleResult {

    /** The partition is not the node's any more: nothing was written. */
    record Fenced() implements SettleResult {}

    /**
     * The fence held.
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

    /** What came of one item. */
    enum Item {
        WRITTEN,
        /** The event is not as it was when it was claimed: it was claimed anew, settled, replayed or deleted. */
        CLAIM_LOST;

        public static Item written(boolean written) {
            return written ? WRITTEN : CLAIM_LOST;
        }
    }
}
