package outbox.sqs;

import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

/** Creates destinations of the kind {@code sqs}. */
public final class SqsDestinationFactory implements DestinationFactory {

    @Override
    public String kind() {
        return "sqs";
    }

    @Override
    public Destination create(Settings settings) {
        return new SqsDestination(SqsConfig.from(settings));
    }
}
