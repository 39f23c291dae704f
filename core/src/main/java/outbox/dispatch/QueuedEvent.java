package outbox.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.HeldClaim;
import outbox.spi.ClaimRequest;

/**
 * A claimed event that waits for its listeners.
 *
 * @param attempts the number of failed attempts so far
 * @param held this instance's claim on the event; null: the worker claims it before the delivery
 * @param storedAt when the event was stored, by the store's clock; null: now
 * @param deaths how many processes in a row have ended while they had the event
 */
public record QueuedEvent(
        EventEnvelope envelope,
        Source source,
        int attempts,
        @Nullable HeldClaim held,
        @Nullable Instant storedAt,
        int deaths) {

    /** Where an event came from. */
    public enum Source {
        /** The publisher in this process, after its commit. */
        HOT,
        /** The poller, which claimed it in the store. */
        COLD
    }

    public QueuedEvent(
            EventEnvelope envelope, Source source, int attempts, @Nullable HeldClaim held, @Nullable Instant storedAt) {
        this(envelope, source, attempts, held, storedAt, 0);
    }

    public QueuedEvent(EventEnvelope envelope, Source source, int attempts) {
        this(envelope, source, attempts, null, null);
    }

    /** Whether it may have ended other processes, so that this process has only one such event at a time. */
    boolean isSuspect() {
        return deaths >= ClaimRequest.SUSPECT_FROM;
    }

    String eventId() {
        return envelope.eventId();
    }
}
