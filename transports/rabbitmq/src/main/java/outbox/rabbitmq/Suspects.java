package outbox.rabbitmq;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the message that ends its channel for a reason that names none. What was in flight with it is sent again in
 * groups, each on a channel of its own, and the group that ends its channel in smaller ones, until a message is alone on
 * the channel that it ends. From then on that one goes alone. A message that the broker answers is no suspect any more.
 * Used by both the publisher's and the connection's thread.
 */
final class Suspects {

    private static final int GROUPS = 10;

    /** More than a destination has in flight; what is forgotten is searched for anew. */
    private static final int KNOWN_MAX = 20_000;

    private final Map<String, Group> groups = new ConcurrentHashMap<>();

    /** Messages that share a channel, and with it its end. Each is equal to itself alone. */
    static final class Group implements Apart {}

    /** A channel has ended with these messages in flight. */
    void add(List<AmqpMessage> messages) {
        if (groups.size() + messages.size() > KNOWN_MAX) {
            groups.clear();
        }
        int most = (messages.size() + GROUPS - 1) / GROUPS;
        Group group = new Group();
        for (int n = 0; n < messages.size(); n++) {
            group = n % most == 0 ? new Group() : group;
            groups.put(messages.get(n).id(), group);
        }
    }

    /** The group of a message; null when it is no suspect. */
    @Nullable
    Group of(AmqpMessage message) {
        return groups.get(message.id());
    }

    /** The broker has answered it, and the channel is still there. */
    void answered(AmqpMessage message) {
        if (!groups.isEmpty()) {
            groups.remove(message.id());
        }
    }

    /** After a reconnection anything may have changed. */
    void forget() {
        groups.clear();
    }
}
