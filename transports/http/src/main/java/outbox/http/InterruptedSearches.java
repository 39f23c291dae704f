package outbox.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers bisections that the end of a call's time interrupted. A bisection finds the event of a key that the server
 * rejects. The next call of the key continues with the number of events that the bisection had reached. Each call
 * therefore halves the search at least once, and it ends however slow the server is.
 */
final class InterruptedSearches {

    /** Bounds memory. A forgotten search starts again. */
    private static final int KEYS_MAX = 1_000;

    /** By key, the longest unused first. Guarded by this. */
    private final Map<String, Integer> events = new LinkedHashMap<>();

    /** Records the maximum number of events for the first request of the key's next call. */
    synchronized void interrupt(String key, int eventsMax) {
        events.remove(key);
        events.put(key, eventsMax);
        if (events.size() > KEYS_MAX) {
            events.remove(events.keySet().iterator().next());
        }
    }

    /** Returns the maximum number of events for the first request of a call, and forgets the search. */
    synchronized int take(String key, int otherwise) {
        Integer cut = events.remove(key);
        return cut == null ? otherwise : Math.min(cut, otherwise);
    }

    synchronized int size() {
        return events.size();
    }
}
