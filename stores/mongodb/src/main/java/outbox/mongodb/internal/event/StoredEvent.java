package outbox.mongodb.internal.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.relay.FetchedEvent;

/**
 * An event's document as it was read. Another program may have written it, so there may be faults in it; what could be
 * read is there all the same, for people to see.
 *
 * @param id whatever it is
 * @param payloadBytes the payload's size, known without counting
 * @param faults why it cannot be delivered; empty for nearly all
 */
public record StoredEvent(
        BsonValue id, OutboxEvent event, long payloadBytes, long seq, int keyHash, List<String> faults) {

    public boolean isReadable() {
        return faults.isEmpty();
    }

    /** Whether it may still wait for its retry, so that the server's time is needed. */
    public boolean mayWait() {
        return event.status() == EventStatus.RETRY;
    }

    /**
     * As a relay reads it, and how long it still waits.
     *
     * @param now the server's time; null while nothing was read that may wait
     */
    public FetchedEvent pending(@Nullable Instant now) {
        boolean waits = mayWait() && now != null && event.availableAt().isAfter(now);
        return new FetchedEvent(
                seq, keyHash, event, waits ? Duration.between(now, event.availableAt()) : Duration.ZERO);
    }
}
