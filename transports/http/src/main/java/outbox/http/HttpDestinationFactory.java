package outbox.http;

import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

/** Creates destinations of the kind {@code http}. */
public final class HttpDestinationFactory implements DestinationFactory {

    @Override
    public String kind() {
        return "http";
    }

    @Override
    public Destination create(Settings settings) {
        return new HttpDestination(settings.name(), HttpConfig.from(settings));
    }
}
