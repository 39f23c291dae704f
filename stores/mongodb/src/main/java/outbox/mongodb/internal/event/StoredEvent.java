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
 * A decoded event. Another program may have written it with faults. Its readable fields are present all the same, for
 * operators.
 *
 * @param id of any type
 * @param payloadBytes the payload's size, known without counting
 * @param faults why it cannot be delivered; empty for nearly all
 */
public record StoredEvent(
        BsonValue id, OutboxEvent event, long payloadBytes, long seq, int keyHash, List<String> faults) {

    public boolean isReadable() {
        return faults.isEmpty();
    }

    /** Whether it may still wait for a retry, which depends on the server's time. */
    public boolean mayWait() {
        return event.status() == EventStatus.RETRY;
    }

    /**
     * The event with the time until its retry.
     *
     * @param now the server's time; may be null if the event cannot wait
     */
    public FetchedEvent pending(@Nullable Instant now) {
        boolean waits = mayWait() && now != null && event.availableAt().isAfter(now);
        return new FetchedEvent(
                seq, keyHash, event, waits ? Duration.between(now, event.availableAt()) : Duration.ZERO);
    }
}
