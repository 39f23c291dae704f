package outbox.rabbitmq;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has come back, until it is confirmed: the broker returns a message first and confirms it then, on the same thread,
 * which is the only one that uses this. A returned message does not carry its number, so it is known by its id and route,
 * and counted, since one confirmation may be about several.
 */
final class ReturnedMessages {

    private final Map<Key, Returned> all = new HashMap<>();

    private record Key(String messageId, Route route) {}

    private record Returned(String reason, int count) {}

    void note(String messageId, Route route, String reason) {
        all.merge(
                new Key(messageId, route),
                new Returned(reason, 1),
                (old, one) -> new Returned(reason, old.count() + 1));
    }

    /** Why the message has come back, once for each time that it did; null: it has not. */
    @Nullable
    String take(String messageId, Route route) {
        Key key = new Key(messageId, route);
        Returned returned = all.remove(key);
        if (returned != null && returned.count() > 1) {
            all.put(key, new Returned(returned.reason(), returned.count() - 1));
        }
        return returned == null ? null : returned.reason();
    }
}
