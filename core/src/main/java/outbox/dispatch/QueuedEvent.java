package outbox.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.HeldClaim;
import outbox.spi.ClaimRequest;

/**
 * An event on its way to its listeners.
 *
 * @param attempts how often delivery has failed so far
 * @param held this instance's claim on the event; null lets the worker claim it before it begins
 * @param storedAt when the event was stored, by the store's clock; null: just now
 * @param deaths how many who had the event have died in a row
 */
public record QueuedEvent(
        EventEnvelope envelope,
        Source source,
        int attempts,
        @Nullable HeldClaim held,
        @Nullable Instant storedAt,
        int deaths) {

    /** Which way an event came. */
    public enum Source {
        /** From the publisher in this process, after commit. */
        HOT,
        /** From the store, by the poller. */
        COLD
    }

    public QueuedEvent(
            EventEnvelope envelope, Source source, int attempts, @Nullable HeldClaim held, @Nullable Instant storedAt) {
        this(envelope, source, attempts, held, storedAt, 0);
    }

    public QueuedEvent(EventEnvelope envelope, Source source, int attempts) {
        this(envelope, source, attempts, null, null);
    }

    /** Whether no other like it may be here at the same time. */
    boolean isSuspect() {
        return deaths >= ClaimRequest.SUSPECT_FROM;
    }

    String eventId() {
        return envelope.eventId();
    }
}
