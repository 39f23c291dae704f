package outbox.rabbitmq;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * Knows which exchanges take messages. A message for one that is missing or forbidden ends its channel and fails whatever
 * else is in flight there. So a place is on probation until the broker has answered a message for it, and one that has made
 * trouble is left alone for a moment and is on probation again. Used by both the publisher's and the connection's thread.
 */
final class Exchanges {

    /** Between two tries of a place that made trouble: not once per event. */
    static final Duration REST = Duration.ofSeconds(1);

    /** Templates can name any number of exchanges, and memory has an end. */
    private static final int KNOWN_MAX = 10_000;

    private final TimeSource time;
    private final Set<String> proven = ConcurrentHashMap.newKeySet();
    private final Map<Place, Trouble> troubles = new ConcurrentHashMap<>();

    private record Trouble(String reason, long until) {}

    Exchanges(TimeSource time) {
        this.time = time;
    }

    /** Why nothing can be sent there for now; null: it can. */
    @Nullable
    String trouble(Route route) {
        String ofExchange = trouble(Place.exchangeOf(route));
        return ofExchange == null ? trouble(Place.of(route)) : ofExchange;
    }

    private @Nullable String trouble(Place place) {
        Trouble trouble = troubles.get(place);
        return trouble == null || time.nanoTime() - trouble.until() >= 0 ? null : trouble.reason();
    }

    /** What has to prove itself first, apart from all others; null: nothing has. */
    @Nullable
    Place onProbation(Route route) {
        if (!proven.contains(route.exchange())) {
            return Place.exchangeOf(route);
        }
        Place place = Place.of(route);
        return troubles.containsKey(place) ? place : null;
    }

    /** The broker has answered a message for it. */
    void proved(Route route) {
        if (proven.contains(route.exchange()) && troubles.isEmpty()) {
            return;
        }
        if (proven.size() >= KNOWN_MAX) {
            proven.clear();
        }
        proven.add(route.exchange());
        troubles.remove(Place.exchangeOf(route));
        troubles.remove(Place.of(route));
    }

    /** Lets a place rest that has ended a channel. */
    void avoid(Place place, String reason) {
        if (troubles.size() >= KNOWN_MAX) {
            troubles.clear();
        }
        troubles.put(place, new Trouble(reason, time.nanoTime() + REST.toNanos()));
        if (place.routingKey() == null) {
            proven.remove(place.exchange());
        }
    }

    /** After a reconnection anything may have changed. */
    void forget() {
        proven.clear();
        troubles.clear();
    }
}
