package outbox.dispatch;

import java.util.LinkedHashMap;
import java.util.Map;

/** The events that were let go of lately, with the time. Bounded: the oldest are forgotten. */
public final class RecentlyLetGo {

    private static final int REMEMBERED_MAX = 10_000;

    /** Guarded by this. */
    private final Map<String, Long> at = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

    public synchronized void add(String eventId, long nanos) {
        at.remove(eventId);
        at.put(eventId, nanos);
    }

    /** Whether the event was let go of at the given time or later. */
    public synchronized boolean isAfter(String eventId, long nanos) {
        Long letGo = at.get(eventId);
        return letGo != null && letGo - nanos >= 0;
    }
}
