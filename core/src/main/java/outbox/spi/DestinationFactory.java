package outbox.spi;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Makes destinations of one kind from settings. A transport names its factory as a service, so that adding one is
 * adding its jar.
 */
public interface DestinationFactory {

    /** The word for this kind in a configuration, such as {@code kafka}. */
    String kind();

    /**
     * A destination, which need not be reachable yet.
     *
     * @throws IllegalArgumentException naming the setting that is missing, wrong or unknown, and what is allowed
     */
    Destination create(Settings settings);

    /**
     * Makes a destination of the kind, with whichever transports are there.
     *
     * @param name the destination's own, for messages and client ids
     * @throws IllegalArgumentException when there is no such kind, or a setting is wrong
     */
    static Destination create(String kind, String name, Map<String, String> settings) {
        return create(kind, new Settings("destination " + name, name, settings));
    }

    /**
     * Makes a destination of the kind from settings of which somebody else may have read some already.
     *
     * @throws IllegalArgumentException when there is no such kind, or a setting is wrong or known to nobody
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
