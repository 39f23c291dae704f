package outbox.model;

import java.time.Duration;

/**
 * A pending event as a relay reads it.
 *
 * @param seq its place in the order of insertion
 * @param keyHash the hash of its key, which names its lane
 * @param untilDue how long it still waits for its retry, by the store's clock; zero when it is due
 */
public record PendingEvent(long seq, int keyHash, OutboxEvent event, Duration untilDue) {

    /** What it counts for in memory: its payload and headers, and about what the objects around them take. */
    public long bytes() {
        String headers = event.headersJson();
        return 500 + event.payloadSize() + (headers == null ? 0 : headers.length());
    }
}
