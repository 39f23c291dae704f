package outbox.registry;

import java.util.List;
import outbox.EventListener;

/** Finds the listeners of an event type. */
public interface ListenerRegistry {

    /** The listeners in the order in which they are called; an immutable snapshot. */
    List<EventListener> listenersFor(String eventType);
}
