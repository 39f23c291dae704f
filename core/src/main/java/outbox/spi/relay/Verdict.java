package outbox.spi.relay;

import org.jspecify.annotations.Nullable;
import outbox.model.Settlement;

/**
 * A settlement as a relay hands it to the store.
 *
 * @param attempts what the event's row counted when it was read. A failure is written only if it still does, so that
 *     writing it once more after a lost reply changes nothing.
 * @param destination where the attempt went
 * @param haltsKey the ordering key to be put on hold because this event is dead; null for none
 * @param partly whether the event goes to several destinations, so that acknowledgements of it may be stored, which
 *     nobody needs when it is done
 */
public record Verdict(
        Settlement settlement,
        int attempts,
        String destination,
        @Nullable String haltsKey,
        boolean partly) {

    public Verdict(Settlement settlement, int attempts, String destination, @Nullable String haltsKey) {
        this(settlement, attempts, destination, haltsKey, false);
    }
}
