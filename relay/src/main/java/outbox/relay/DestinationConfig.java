package outbox.relay;

import java.time.Duration;

/**
 * The settings of a destination.
 *
 * @param deadline how long one attempt may take; default 35 s, above the 30 s that destinations
 *     give themselves at most
 * @param eventsPerSecondMax the rate of one node; 0 for no limit, which is the default
 * @param breakerFailures after this number of calls in a row without an answer the circuit breaker opens, even if other
 *     events were delivered meanwhile; 0 for never; default 10. The breaker opens at once for a destination that is
 *     unavailable, and never for one that answers, even if events fail.
 * @param breakerRest how long the breaker stays open at first; doubles with each failed probe; default 1 s
 * @param breakerRestMax the longest such time; default 4 s, so that deliveries resume within five seconds
 */
public record DestinationConfig(
        Duration deadline, int eventsPerSecondMax, int breakerFailures, Duration breakerRest, Duration breakerRestMax) {

    public DestinationConfig {
        requirePositive("deadline", deadline);
        requirePositive("breakerRest", breakerRest);
        if (breakerRestMax.compareTo(breakerRest) < 0) {
            throw new IllegalArgumentException(
                    "breakerRestMax must be at least breakerRest (" + breakerRest + "), was " + breakerRestMax);
        }
        if (eventsPerSecondMax < 0) {
            throw new IllegalArgumentException(
                    "eventsPerSecondMax must be 0 (no limit) or more, was " + eventsPerSecondMax);
        }
        if (breakerFailures < 0) {
            throw new IllegalArgumentException("breakerFailures must be 0 (never) or more, was " + breakerFailures);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, was " + value);
        }
    }

    public static DestinationConfig defaults() {
        return new DestinationConfig(Duration.ofSeconds(35), 0, 10, Duration.ofSeconds(1), Duration.ofSeconds(4));
    }

    public DestinationConfig withDeadline(Duration value) {
        return new DestinationConfig(value, eventsPerSecondMax, breakerFailures, breakerRest, breakerRestMax);
    }

    public DestinationConfig withEventsPerSecondMax(int value) {
        return new DestinationConfig(deadline, value, breakerFailures, breakerRest, breakerRestMax);
    }

    public DestinationConfig withBreaker(int failures, Duration rest, Duration restMax) {
        return new DestinationConfig(deadline, eventsPerSecondMax, failures, rest, restMax);
    }
}
