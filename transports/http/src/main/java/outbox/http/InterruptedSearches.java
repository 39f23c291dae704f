package outbox.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the searches for the event of a key that is to blame, which the end of a call's time has cut off. The next
 * call of the key continues with as few events as the search had come down to. So each call halves what is searched at
 * least once, and a search ends however slowly the server refuses.
 */
final class CutSearches {

    /** A search that is forgotten begins anew, and memory has an end. */
    private static final int KEYS_MAX = 1_000;

    /** By key, the longest unused first. Guarded by this. */
    private final Map<String, Integer> events = new LinkedHashMap<>();

    /** Notes that the first request of the next call of a key is to have this number of events at most. */
    synchronized void cutOff(String key, int eventsMax) {
        events.remove(key);
        events.put(key, eventsMax);
        if (events.size() > KEYS_MAX) {
            events.remove(events.keySet().iterator().next());
        }
    }

    /** How many events the first request of a call may have, where there was a search; forgets it. */
    synchronized int take(String key, int otherwise) {
        Integer cut = events.remove(key);
        return cut == null ? otherwise : Math.min(cut, otherwise);
    }

    synchronized int size() {
        return events.size();
    }
}
