package outbox.spi;

import outbox.EventEnvelope;

/**
 * Has a look at every event before it is stored, and may add headers to it: the trace that it belongs to, or who caused
 * it. It runs on the publishing thread, inside the transaction; when it throws, nothing is stored.
 */
@FunctionalInterface
public interface PublishStep {

    /** The event as it is to be stored; see {@link EventEnvelope#withHeaders}. Its id must stay the same. */
    EventEnvelope prepare(EventEnvelope event);
}
