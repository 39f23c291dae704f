package outbox.registry;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.PermanentFailureException;
import outbox.RetryAfterException;
import outbox.internal.ErrorText;
import outbox.model.Delivery;
import outbox.model.Outcome;

/** Calls the listeners of an event one after the other, and reports the outcome of the attempt. */
public final class ListenerCaller {

    private static final Outcome DELIVERED = new Outcome.Delivered();

    private final ListenerRegistry registry;
    private final Takers<EventListener> takers = new Takers<>();

    public ListenerCaller(ListenerRegistry registry) {
        this.registry = registry;
    }

    /** One attempt. Whatever a listener throws becomes an outcome. */
    public Outcome deliver(Delivery delivery) {
        EventEnvelope event = delivery.event();
        Set<EventListener> taken = new HashSet<>(takers.take(event.eventId()));
        try {
            List<EventListener> listeners = registry.listenersFor(event.eventType());
            if (listeners.isEmpty()) {
                // Not delivered: an instance that does not know a new type yet must not make its events vanish.
                return new Outcome.Retryable("no listener is registered for event type " + event.eventType(), null);
            }
            for (EventListener listener : listeners) {
                if (!taken.contains(listener)) {
                    listener.onDelivery(delivery);
                    taken.add(listener);
                }
            }
            return DELIVERED;
        } catch (RetryAfterException e) {
            return new Outcome.Retryable(ErrorText.of(e), e.delay());
        } catch (PermanentFailureException e) {
            return new Outcome.Rejected(ErrorText.of(e));
        } catch (DestinationUnavailableException e) {
            takers.keep(event.eventId(), taken);
            return new Outcome.Unavailable(
                    ErrorText.of(e),
                    Outcome.Unavailable.Scope.DESTINATION,
                    e.retryAfter().orElse(null));
        } catch (Throwable e) {
            return new Outcome.Retryable(ErrorText.of(e), null);
        }
    }
}
