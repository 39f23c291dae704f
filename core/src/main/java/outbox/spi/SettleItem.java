package outbox.spi;

import org.jspecify.annotations.Nullable;
import outbox.model.Settlement;

/**
 * A settlement as it is handed to the store.
 *
 * @param expectedAttempts what the event's row counted when it was read. A failure is written only if it still does, so that
 *     writing it once more after a lost reply changes nothing.
 * @param destination where the attempt went
 * @param pausesKey the ordering key to pause because this event is dead; null for none
 * @param fansOut whether the event goes to several destinations, so that acknowledgements of it may be stored, which are
 *     of no use once it is done
 */
public record SettleItem(
        Settlement settlement,
        int expectedAttempts,
        String destination,
        @Nullable String pausesKey,
        boolean fansOut) {

    /** An item of an event with one destination, that pauses nothing. */
    public SettleItem(Settlement settlement, int expectedAttempts, String destination) {
        this(settlement, expectedAttempts, destination, null, false);
    }

    public String eventId() {
        return settlement.claim().eventId();
    }
}
