package outbox.relay.config;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.relay.deliver.DestinationConfig;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.util.Settings;

/**
 * A destination as settings describe it. Two plans are equal when nothing was changed between them.
 *
 * @param kind the transport's word, such as {@code kafka}
 * @param treatment deadline, rate and breaker
 * @param paused whether nothing is to be delivered to it for now
 * @param values all settings as they were given; may hold secrets
 */
public record DestinationPlan(
        String name, String kind, DestinationConfig treatment, boolean paused, Map<String, String> values) {

    /**
     * Reads what every destination has; the transport reads the rest when it is opened.
     *
     * @throws IllegalArgumentException naming the setting that is wrong and what is allowed
     */
    public static DestinationPlan read(String name, Map<String, String> values) {
        return read(settings(name, values), Map.copyOf(values));
    }

    private static DestinationPlan read(Settings settings, Map<String, String> values) {
        DestinationConfig defaults = DestinationConfig.defaults();
        return settings.checked(() -> new DestinationPlan(
                settings.name(),
                settings.required("kind"),
                new DestinationConfig(
                        settings.duration("deadline", defaults.deadline()),
                        settings.number("events-per-second-max", defaults.eventsPerSecondMax(), 0, 10_000_000),
                        settings.number("breaker-failures", defaults.breakerFailures(), 0, 1_000_000),
                        settings.duration("breaker-rest", defaults.breakerRest()),
                        settings.duration("breaker-rest-max", defaults.breakerRestMax())),
                settings.flag("paused", false),
                values));
    }

    /**
     * Makes the destination, which need not be reachable yet. Clients of two sources must not be taken for one
     * another, so what has to be unique is named after the source.
     *
     * @param source that the events come from; empty where there is only one
     * @throws IllegalArgumentException naming the setting that is wrong or unknown, and what is allowed
     */
    public Destination open(String source) {
        Map<String, String> all = new LinkedHashMap<>(values);
        if (kind.equals("kafka") && !source.isEmpty() && !all.containsKey("transactional-id-prefix")) {
            all.put("transactional-id-prefix", "outbox-" + source + "-" + name);
        }
        Settings settings = settings(name, all);
        read(settings, values); // So that what was read here already counts as known.
        return DestinationFactory.create(kind, settings);
    }

    private static Settings settings(String name, Map<String, String> values) {
        return new Settings("destination " + name, name, values);
    }

    /** Without the values: there may be secrets among them. */
    @Override
    public String toString() {
        return "destination " + name + " of kind " + kind + (paused ? ", paused" : "");
    }
}
