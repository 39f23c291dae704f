package outbox.rabbitmq;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the message that ends its channel when the broker does not name it. The messages in flight are sent again in
 * groups, each on its own channel. The group that ends its channel is split into smaller ones, until a message is alone
 * on the channel that it ends. From then on that message is sent alone. A message that the broker answers is no longer
 * a suspect. Used by both the publisher's and the connection's thread.
 */
final class Suspects {

    private static final int GROUPS = 10;

    /** Exceeds what a destination has in flight. The search for a forgotten message starts again. */
    private static final int KNOWN_MAX = 20_000;

    private final Map<String, Group> groups = new ConcurrentHashMap<>();

    /** Messages that share a channel, and its end. Each group is only equal to itself. */
    static final class Group implements Isolated {}

    /** Called when a channel has ended with these messages in flight. */
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

    /** Returns the group of a message, or null when it is no suspect. */
    @Nullable
    Group of(AmqpMessage message) {
        return groups.get(message.id());
    }

    /** Called when the broker has answered the message without ending the channel. */
    void answered(AmqpMessage message) {
        if (!groups.isEmpty()) {
            groups.remove(message.id());
        }
    }

    /** Called after a reconnection, because the broker's configuration may have changed. */
    void forget() {
        groups.clear();
    }
}
