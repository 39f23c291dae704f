package outbox.internal;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The stable hash of an ordering key: CRC-32 of its UTF-8 bytes, shifted right by one so that it fits a signed INT.
 * Every language and MySQL itself can compute it.
 */
public final class KeyHash {

    private KeyHash() {}

    public static int of(String key) {
        CRC32 crc = new CRC32();
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() >>> 1);
    }

    /** The hash of an event's lane. Without a key, the id spreads events evenly. */
    public static int ofLane(@Nullable String orderingKey, String eventId) {
        return of(orderingKey == null ? eventId : orderingKey);
    }
}
