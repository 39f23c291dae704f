package outbox.registry;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import outbox.EventListener;
import outbox.EventType;
import outbox.spi.Destination;

/**
 * Finds listeners by exact event type, followed by those for every type. May be changed at any time; a delivery uses
 * the listeners that are registered when it begins.
 */
public final class DefaultListenerRegistry implements ListenerRegistry {

    private static final String EVERY_TYPE = "*";

    private final Map<String, CopyOnWriteArrayList<EventListener>> byType = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<EventListener> everyType = new CopyOnWriteArrayList<>();

    public DefaultListenerRegistry register(EventType type, EventListener listener) {
        return register(type.name(), listener);
    }

    /** Adds a listener for one event type; {@code "*"} stands for every type. */
    public DefaultListenerRegistry register(String eventType, EventListener listener) {
        Objects.requireNonNull(listener, "a listener must not be null");
        if (eventType.isBlank()) {
            throw new IllegalArgumentException("event type must not be blank; \"*\" is every type");
        }
        if (eventType.equals(EVERY_TYPE)) {
            everyType.add(listener);
        } else {
            byType.computeIfAbsent(eventType, type -> new CopyOnWriteArrayList<>())
                    .add(listener);
        }
        return this;
    }

    /** Sends events of these types to a destination; {@code "*"} stands for every type. */
    public DefaultListenerRegistry registerDestination(Destination destination, String... eventTypes) {
        if (eventTypes.length == 0) {
            throw new IllegalArgumentException("name the event types that go to this destination; \"*\" is every type");
        }
        EventListener listener = new DestinationListener(destination);
        for (String eventType : eventTypes) {
            register(eventType, listener);
        }
        return this;
    }

    public DefaultListenerRegistry registerAll(EventListener listener) {
        return register(EVERY_TYPE, listener);
    }

    /** Removes one registration; false when there was none. A delivery in flight continues. */
    public boolean unregister(EventType type, EventListener listener) {
        return unregister(type.name(), listener);
    }

    public boolean unregister(String eventType, EventListener listener) {
        if (eventType.equals(EVERY_TYPE)) {
            return everyType.remove(listener);
        }
        List<EventListener> listeners = byType.get(eventType);
        return listeners != null && listeners.remove(listener);
    }

    public boolean unregisterAll(EventListener listener) {
        return unregister(EVERY_TYPE, listener);
    }

    @Override
    public List<EventListener> listenersFor(String eventType) {
        List<EventListener> exact = byType.get(eventType);
        if (exact == null) {
            return List.copyOf(everyType);
        }
        return Stream.concat(exact.stream(), everyType.stream()).toList();
    }
}
