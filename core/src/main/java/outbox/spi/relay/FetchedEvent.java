package outbox.spi.relay;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/**
 * A pending event as a relay reads it.
 *
 * @param seq its place in the order of insertion
 * @param keyHash the hash of its key, which names its lane
 * @param untilDue the time until its retry, by the store's clock; zero when it is due
 * @param acknowledged the targets that have taken it already, if it goes to several
 */
public record FetchedEvent(long seq, int keyHash, OutboxEvent event, Duration untilDue, Set<String> acknowledged) {

    /**
     * A cap, because another program may have written a time thousands of years ahead.
     */
    private static final Duration UNTIL_DUE_MAX = Duration.ofDays(365);

    public FetchedEvent {
        untilDue = untilDue.compareTo(UNTIL_DUE_MAX) > 0 ? UNTIL_DUE_MAX : untilDue;
    }

    public FetchedEvent(long seq, int keyHash, OutboxEvent event, Duration untilDue) {
        this(seq, keyHash, event, untilDue, Set.of());
    }

    public FetchedEvent withAcknowledged(Set<String> targets) {
        return new FetchedEvent(seq, keyHash, event, untilDue, targets);
    }

    /** Its approximate size in memory: its texts, and the objects around them. */
    public long bytes() {
        byte[] binary = event.payloadBytes();
        return 500 + (binary == null ? 0 : binary.length) + length(event.payloadJson()) + length(event.headersJson());
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
