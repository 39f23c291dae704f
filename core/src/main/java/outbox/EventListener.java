package outbox;

import outbox.model.Delivery;

/**
 * Reacts to an event: sends it to a broker, updates a cache, calls a service.
 *
 * <p>A listener returns when the event has arrived and throws when it has not. Delivery is at least once,
 * so a listener that passes the event on must pass on {@link EventEnvelope#eventId()} too.
 */
@FunctionalInterface
public interface EventListener {

    /**
     * Delivers one event.
     *
     * @throws RetryAfterException to be called again after a delay of the listener's choosing
     * @throws PermanentFailureException when no later attempt can succeed; the event is dead at once
     * @throws Exception any other failure; the retry policy decides when to try again
     */
    void onEvent(EventEnvelope event) throws Exception;

    /**
     * Delivers one event, with the number of the attempt. The dispatcher calls this method; a listener that does not
     * need the number overrides {@link #onEvent} only.
     */
    default void onDelivery(Delivery delivery) throws Exception {
        onEvent(delivery.event());
    }
}
