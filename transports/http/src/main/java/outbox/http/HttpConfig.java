package outbox.http;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import outbox.spi.Settings;

/**
 * Configuration of a destination of the kind {@code http}.
 *
 * @param target the URL and its fixed headers
 * @param framing the contents of a request
 * @param answers how responses are read
 * @param limits of time and of concurrent requests
 * @param addresses which may be connected to
 */
public record HttpConfig(
        HttpTarget target, HttpFraming framing, Answers answers, Limits limits, AddressRules addresses) {

    /**
     * Configures how responses are read.
     *
     * @param finalStatuses after which no later attempt can succeed
     * @param itemResults whether a 2xx response to a batch has a result for each of its events
     */
    public record Answers(Set<Integer> finalStatuses, boolean itemResults) {

        public Answers {
            finalStatuses = Set.copyOf(finalStatuses);
            for (int status : new TreeSet<>(finalStatuses)) {
                if (status < 300 || status > 599) {
                    throw new IllegalArgumentException("must be statuses from 300 to 599, had " + status);
                }
            }
        }
    }

    /**
     * Limits of time and number.
     *
     * @param requestTimeout for all requests of one call of a key; the relay's deadline has to exceed it
     * @param keysInFlight how many keys may have a request in flight
     */
    public record Limits(Duration connectTimeout, Duration requestTimeout, int keysInFlight) {

        public Limits {
            if (!connectTimeout.isPositive() || !requestTimeout.isPositive() || keysInFlight < 1) {
                throw new IllegalArgumentException("timeouts must be positive and keysInFlight at least 1, were "
                        + connectTimeout + ", " + requestTimeout + " and " + keysInFlight);
            }
        }
    }

    /** Reads the settings. */
    public static HttpConfig from(Settings settings) {
        HttpFraming framing = HttpFraming.from(settings);
        boolean itemResults = settings.flag("item-results", false);
        if (itemResults && framing.isSingle()) {
            throw settings.wrong("item-results", "needs mode batch");
        }
        return new HttpConfig(
                HttpTarget.from(settings, framing),
                framing,
                answers(settings, itemResults),
                new Limits(
                        settings.duration("connect-timeout", Duration.ofSeconds(10)),
                        settings.duration("request-timeout", Duration.ofSeconds(30)),
                        settings.number("keys-in-flight", 10, 1, 10_000)),
                AddressRules.from(settings));
    }

    private static Answers answers(Settings settings, boolean itemResults) {
        List<String> words = settings.list("final-statuses");
        try {
            return new Answers(
                    words.stream().map(Integer::valueOf).collect(Collectors.toUnmodifiableSet()), itemResults);
        } catch (NumberFormatException e) {
            throw settings.wrong("final-statuses", "must be statuses from 300 to 599, separated by commas");
        } catch (IllegalArgumentException e) {
            throw settings.wrong("final-statuses", String.valueOf(e.getMessage()));
        }
    }
}
