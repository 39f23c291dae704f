package outbox.relay.config;

import java.util.Map;
import outbox.relay.DestinationConfig;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

/**
 * A destination as settings describe it. Two plans are equal when nothing was changed between them.
 *
 * @param kind the transport's word, such as {@code kafka}
 * @param treatment deadline, rate and breaker
 * @param paused whether nothing is to be delivered to it for now
 * @param values all settings as they were given; may hold secrets
 */
public record DestinationSettings(
        String name, String kind, DestinationConfig treatment, boolean paused, Map<String, String> values) {

    private static final Map<String, String> NEW_NAMES =
            Map.of("breaker-rest", "breaker-open-time", "breaker-rest-max", "breaker-open-time-max");

    /**
     * Reads what every destination has; the transport reads the rest when it is opened.
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
     * Makes the destination, which need not be reachable yet. Clients of two sources must not be taken for one another,
     * so what has to be unique, such as Kafka's client and transactional ids, is named after the source as well.
     *
     * @param source that the events come from; empty where there is only one
     * @throws IllegalArgumentException naming the setting that is wrong or unknown, and what is allowed
     */
    public Destination open(String source) {
        Settings settings = new Settings("destination " + name, source.isEmpty() ? name : source + "-" + name, values);
        read(name, settings, values); // So that what was read here already counts as known.
        return DestinationFactory.create(kind, settings);
    }

    /** Without the values: there may be secrets among them. */
    @Override
    public String toString() {
        return "destination " + name + " of kind " + kind + (paused ? ", paused" : "");
    }
}
