package outbox.rabbitmq;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers returned messages until they are confirmed. The broker returns a message first and confirms it afterwards,
 * on the same thread, which is the only one that uses this class. A returned message does not carry its delivery tag,
 * so it is identified by its id and route. Returns are counted, because one confirmation may cover several messages.
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

    /** Returns why the message was returned, once for each return; null when it was not. */
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
