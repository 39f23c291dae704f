package outbox.spi;

import outbox.EventEnvelope;

/**
 * Sees every event before it is stored, and may add headers to it, such as its trace or its author. It runs on the
 * publishing thread, inside the transaction; when it throws, nothing is stored.
 */
@FunctionalInterface
public interface PublishStep {

    /** The event as it is to be stored; see {@link EventEnvelope#withHeaders}. Its id must stay the same. */
    EventEnvelope prepare(EventEnvelope event);
}
