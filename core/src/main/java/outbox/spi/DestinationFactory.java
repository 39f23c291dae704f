package outbox.spi;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Creates destinations of one kind from settings. A transport registers its factory as a service, so that adding its
 * jar is enough.
 */
public interface DestinationFactory {

    /** The name of this kind in a configuration, such as {@code kafka}. */
    String kind();

    /**
     * Creates a destination, which need not be reachable yet.
     *
     * @throws IllegalArgumentException naming the setting that is missing, wrong or unknown, and what is allowed
     */
    Destination create(Settings settings);

    /**
     * Creates a destination of the kind with the transports on the class path.
     *
     * @param name the destination's own, for messages and client ids
     * @throws IllegalArgumentException when there is no such kind, or a setting is wrong
     */
    static Destination create(String kind, String name, Map<String, String> settings) {
        return create(kind, new Settings("destination " + name, name, settings));
    }

    /**
     * Creates a destination of the kind from settings of which the caller may have read some already.
     *
     * @throws IllegalArgumentException when there is no such kind, or a setting is wrong or unknown
     */
    static Destination create(String kind, Settings settings) {
        Map<String, DestinationFactory> factories = new TreeMap<>();
        ServiceLoader.load(DestinationFactory.class).forEach(factory -> factories.putIfAbsent(factory.kind(), factory));
        DestinationFactory factory = factories.get(kind);
        if (factory == null) {
            throw settings.wrong(
                    "kind", "is \"" + kind + "\", for which there is no transport; there are " + factories.keySet());
        }
        Destination destination = factory.create(settings);
        try {
            settings.requireAllKnown();
        } catch (IllegalArgumentException e) {
            destination.close();
            throw e;
        }
        return destination;
    }
}
