package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Translates properties for the engine's readers of text, which know some of them by another name. Such a name is the
 * former spelling of the property. Used as a property it fails at start and names the new spelling.
 *
 * @param prefix of the properties, without the last dot
 * @param readerNames the reader's name of each property that has another one
 */
record PropertyNames(String prefix, Map<String, String> readerNames) {

    private static final String ON_DEAD_EVENT = "on-dead-event";

    /** The reader's values of {@value #ON_DEAD_EVENT}. */
    private static final Map<String, String> ON_DEAD_EVENT_VALUES = Map.of("continue", "release", "pause-key", "halt");

    static final PropertyNames RELAY = new PropertyNames(
            "outbox.relay",
            Map.of(
                    "claim-strategy",
                    "claim",
                    "claim-lease",
                    "lease",
                    "node-timeout",
                    "timeout",
                    "drain-timeout",
                    "drain",
                    "fetch-events-max",
                    "fetch-max",
                    "poll-interval-max",
                    "poll-max",
                    "done-events",
                    "done-rows",
                    ON_DEAD_EVENT,
                    "dead-key"));

    static PropertyNames ofDestination(String name) {
        return new PropertyNames(
                "outbox.destinations." + name,
                Map.of("breaker-open-time", "breaker-rest", "breaker-open-time-max", "breaker-rest-max"));
    }

    /**
     * Returns the values under the reader's names.
     *
     * @throws InvalidOutboxPropertiesException when a property has its former spelling
     */
    Map<String, String> forReader(Map<String, String> properties) {
        readerNames.forEach((name, former) -> {
            if (properties.containsKey(former)) {
                throw new InvalidOutboxPropertiesException(
                        prefix + "." + former + " has been renamed; set " + prefix + "." + name + " instead");
            }
        });
        Map<String, String> values = new LinkedHashMap<>();
        properties.forEach((name, value) -> values.put(
                readerNames.getOrDefault(name, name), name.equals(ON_DEAD_EVENT) ? readerValue(value) : value));
        return values;
    }

    private String readerValue(String value) {
        String known = ON_DEAD_EVENT_VALUES.get(value.strip());
        if (known == null) {
            throw new InvalidOutboxPropertiesException(
                    prefix + "." + ON_DEAD_EVENT + " must be one of [continue, pause-key], was \"" + value + "\"");
        }
        return known;
    }

    /** Returns the property's name. */
    String propertyOf(String readerName) {
        return readerNames.entrySet().stream()
                .filter(name -> name.getValue().equals(readerName))
                .map(Map.Entry::getKey)
                .findAny()
                .orElse(readerName);
    }

    /** Returns what the reader makes of the values. Its error messages get the names of the properties. */
    <T extends @Nullable Object> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (InvalidOutboxPropertiesException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidOutboxPropertiesException(prefix + ": " + withPropertyNames(e.getMessage()), e);
        }
    }

    private String withPropertyNames(@Nullable String message) {
        String named = String.valueOf(message);
        for (Map.Entry<String, String> name : readerNames.entrySet()) {
            // The reader names a setting after the word "setting" and in its list of all settings.
            named = named.replaceAll(
                    "(setting |there are \\[(?:.*, )?)" + name.getValue() + "(?=[ ,\\]])", "$1" + name.getKey());
        }
        return named;
    }
}
