package outbox.dispatch;

import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * An event on its way to its listeners.
 *
 * @param attempts how often delivery has failed so far
 * @param held this instance's claim on the event; null lets the worker claim it before it begins
 */
public record QueuedEvent(
        EventEnvelope envelope,
        Source source,
        int attempts,
        @Nullable HeldClaim held) {

    /** Which way an event came. */
    public enum Source {
        /** From the publisher in this process, after commit. */
        HOT,
        /** From the store, by the poller. */
        COLD
    }

    public QueuedEvent(EventEnvelope envelope, Source source, int attempts) {
        this(envelope, source, attempts, null);
    }

    String eventId() {
        return envelope.eventId();
    }
}
