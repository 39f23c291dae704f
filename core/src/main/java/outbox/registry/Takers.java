package outbox.registry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Remembers the receivers that have taken an event which was postponed because another receiver is unavailable. The
 * next attempt skips them: an outage would otherwise repeat the event every few seconds. The memory is bounded, so a
 * receiver may still get an event twice.
 */
public final class Takers<T> {

    private static final int EVENTS_MAX = 10_000;

    /** Guarded by this. */
    private final Map<String, Set<T>> byEvent = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<T>> eldest) {
            return size() > EVENTS_MAX;
        }
    };

    /** Returns and forgets the receivers that have taken the event. */
    public synchronized Set<T> take(String eventId) {
        Set<T> takers = byEvent.remove(eventId);
        return takers == null ? Set.of() : takers;
    }

    public synchronized void keep(String eventId, Set<T> takers) {
        if (!takers.isEmpty()) {
            byEvent.put(eventId, Set.copyOf(takers));
        }
    }
}
