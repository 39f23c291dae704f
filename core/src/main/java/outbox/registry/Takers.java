package outbox.registry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Who took an event that was then postponed because another one of its receivers is unavailable. When it comes again,
 * those need not take it once more: an outage would otherwise repeat it every few seconds. Kept in memory and bounded, so
 * that a receiver may still get an event twice.
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

    /** Who took the event already. It is forgotten with that. */
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
