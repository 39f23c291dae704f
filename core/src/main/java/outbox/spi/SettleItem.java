package outbox.spi;

import org.jspecify.annotations.Nullable;
import outbox.model.Settlement;

/**
 * A settlement with what the store needs to write it.
 *
 * @param expectedAttempts the attempts of the event's row when it was read. A failure is written only if the row still
 *     has them, so that writing it again after a lost reply changes nothing.
 * @param destination the destination of the attempt
 * @param pausesKey the ordering key to pause because this event is dead; null for none
 * @param fansOut whether the event goes to several destinations. Its stored acknowledgements are removed when it is
 *     done
 */
public record SettleItem(
        Settlement settlement,
        int expectedAttempts,
        String destination,
        @Nullable String pausesKey,
        boolean fansOut) {

    /** An item of an event with one destination that pauses no key. */
    public SettleItem(Settlement settlement, int expectedAttempts, String destination) {
        this(settlement, expectedAttempts, destination, null, false);
    }

    public String eventId() {
        return settlement.claim().eventId();
    }
}
