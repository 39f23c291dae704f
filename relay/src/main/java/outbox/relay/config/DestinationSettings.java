package outbox.relay.config;

import java.util.Map;
import outbox.relay.DestinationConfig;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

/**
 * The settings of a destination. Two of them are equal if every setting is the same.
 *
 * @param kind the name of its transport, such as {@code kafka}
 * @param treatment its deadline, rate limit and circuit breaker
 * @param paused whether delivery to it is paused
 * @param values all settings as they were given, which may hold secrets
 */
public record DestinationSettings(
        String name, String kind, DestinationConfig treatment, boolean paused, Map<String, String> values) {

    private static final Map<String, String> NEW_NAMES =
            Map.of("breaker-rest", "breaker-open-time", "breaker-rest-max", "breaker-open-time-max");

    /**
     * Reads the settings that every destination has. The transport reads the others when the destination is opened.
     *
     * @throws IllegalArgumentException naming the setting that is wrong and what is allowed
     */
    public static DestinationSettings read(String name, Map<String, String> values) {
        return read(name, new Settings("destination " + name, name, values), Map.copyOf(values));
    }

    private static DestinationSettings read(String name, Settings settings, Map<String, String> values) {
        settings.refuseFormerNames(NEW_NAMES);
        DestinationConfig defaults = DestinationConfig.defaults();
        return settings.checked(() -> new DestinationSettings(
                name,
                settings.required("kind"),
                new DestinationConfig(
                        settings.duration("deadline", defaults.deadline()),
                        settings.number("events-per-second-max", defaults.eventsPerSecondMax(), 0, 10_000_000),
                        settings.number("breaker-failures", defaults.breakerFailures(), 0, 1_000_000),
                        settings.duration("breaker-open-time", defaults.breakerRest()),
                        settings.duration("breaker-open-time-max", defaults.breakerRestMax())),
                settings.flag("paused", false),
                values));
    }

    /**
     * Opens the destination, which need not be reachable yet. Names that have to be unique, such as Kafka's client and
     * transactional ids, contain the source, so that two sources cannot use the same.
     *
     * @param source of the events; empty if there is only one
     * @throws IllegalArgumentException naming the setting that is wrong or unknown, and what is allowed
     */
    public Destination open(String source) {
        Settings settings = new Settings("destination " + name, source.isEmpty() ? name : source + "-" + name, values);
        read(name, settings, values); // So that these settings count as known.
        return DestinationFactory.create(kind, settings);
    }

    /** Omits the values, which may hold secrets. */
    @Override
    public String toString() {
        return "destination " + name + " of kind " + kind + (paused ? ", paused" : "");
    }
}
