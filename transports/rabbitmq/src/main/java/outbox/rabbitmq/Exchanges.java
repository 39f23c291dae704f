package outbox.rabbitmq;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * Remembers which exchanges accept messages. A message for a missing or forbidden exchange ends its channel and fails
 * everything else in flight there. Therefore an address is on probation until the broker has answered a message for it.
 * An address that failed is left alone for a moment and is on probation again. Used by both the publisher's and the
 * connection's thread.
 */
final class Exchanges {

    /** Time between two attempts at an address that failed, so that not every event tries it. */
    static final Duration REST = Duration.ofSeconds(1);

    /** Bounds memory, because templates can name any number of exchanges. */
    private static final int KNOWN_MAX = 10_000;

    private final TimeSource time;
    private final Set<String> proven = ConcurrentHashMap.newKeySet();
    private final Map<BrokerAddress, Problem> problems = new ConcurrentHashMap<>();

    private record Problem(String reason, long until) {}

    Exchanges(TimeSource time) {
        this.time = time;
    }

    /** Returns why nothing can be sent there for now, or null. */
    @Nullable
    String problem(Route route) {
        String ofExchange = problem(BrokerAddress.exchangeOf(route));
        return ofExchange == null ? problem(BrokerAddress.of(route)) : ofExchange;
    }

    private @Nullable String problem(BrokerAddress address) {
        Problem problem = problems.get(address);
        return problem == null || time.nanoTime() - problem.until() >= 0 ? null : problem.reason();
    }

    /** Returns the address that is on probation, or null when the route is proven. */
    @Nullable
    BrokerAddress onProbation(Route route) {
        if (!proven.contains(route.exchange())) {
            return BrokerAddress.exchangeOf(route);
        }
        BrokerAddress address = BrokerAddress.of(route);
        return problems.containsKey(address) ? address : null;
    }

    /** Called when the broker has answered a message for the route. */
    void markProven(Route route) {
        if (proven.contains(route.exchange()) && problems.isEmpty()) {
            return;
        }
        if (proven.size() >= KNOWN_MAX) {
            proven.clear();
        }
        proven.add(route.exchange());
        problems.remove(BrokerAddress.exchangeOf(route));
        problems.remove(BrokerAddress.of(route));
    }

    /** Leaves an address alone for a moment after it has ended a channel. */
    void avoid(BrokerAddress address, String reason) {
        if (problems.size() >= KNOWN_MAX) {
            problems.clear();
        }
        problems.put(address, new Problem(reason, time.nanoTime() + REST.toNanos()));
        if (address.routingKey() == null) {
            proven.remove(address.exchange());
        }
    }

    /** Called after a reconnection, because the broker's configuration may have changed. */
    void forget() {
        proven.clear();
        problems.clear();
    }
}
