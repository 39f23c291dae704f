package outbox.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.util.TimeSource;

/**
 * Knows which exchanges there are. Publishing to one that is missing or forbidden would end the channel and fail whatever
 * else is under way on it; so each is looked at first on a channel of its own, and one that has made trouble is left
 * alone for a moment.
 */
final class Exchanges {

    private static final Duration REST = Duration.ofSeconds(1);

    /** A look does not tell whether one may publish, so each new try ends the channel for all: not every second. */
    private static final Duration FORBIDDEN_REST = Duration.ofSeconds(30);

    private static final String FORBIDDEN = "ACCESS_REFUSED";

    /** Templates can name any number of exchanges, and memory has an end. */
    private static final int KNOWN_MAX = 10_000;

    /** Those that are there, as far as anybody knows. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** Those that are not to be used, and why. Written by both the publisher's and the connection's thread. */
    private final Map<String, Trouble> troubles = new ConcurrentHashMap<>();

    private record Trouble(String reason, long until) {}

    /** Why nothing can be sent to this exchange for now; null: it can. */
    @Nullable
    String trouble(String exchange, Connection connection) throws IOException {
        if (exchange.isEmpty() || known.contains(exchange)) {
            return null;
        }
        Trouble trouble = troubles.get(exchange);
        if (trouble != null && TimeSource.SYSTEM.nanoTime() - trouble.until() < 0) {
            return trouble.reason();
        }
        String reason = look(exchange, connection);
        if (reason == null) {
            troubles.remove(exchange);
            remember(exchange);
        } else {
            avoid(exchange, reason);
        }
        return reason;
    }

    private static @Nullable String look(String exchange, Connection connection) throws IOException {
        Channel side = connection.createChannel();
        if (side == null) {
            throw new IOException("the broker allows no further channel");
        }
        try {
            side.exchangeDeclarePassive(exchange);
            side.close();
            return null;
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException cause && !cause.isHardError()) {
                return ChannelEnd.of(cause).reason();
            }
            throw e;
        } catch (TimeoutException e) {
            throw new IOException(e);
        }
    }

    private void remember(String exchange) {
        if (known.size() >= KNOWN_MAX) {
            known.clear();
        }
        known.add(exchange);
    }

    /** Uses no exchange for a moment that has ended a channel. */
    void avoid(String exchange, String reason) {
        if (troubles.size() >= KNOWN_MAX) {
            troubles.clear();
        }
        Duration rest = reason.startsWith(FORBIDDEN) ? FORBIDDEN_REST : REST;
        troubles.put(exchange, new Trouble(reason, TimeSource.SYSTEM.nanoTime() + rest.toNanos()));
        known.remove(exchange);
    }

    /** After a reconnection anything may have changed. */
    void forget() {
        known.clear();
        troubles.clear();
    }
}
