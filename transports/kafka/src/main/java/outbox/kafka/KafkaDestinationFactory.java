package outbox.kafka;

import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

/** Creates destinations of the kind {@code kafka}. */
public final class KafkaDestinationFactory implements DestinationFactory {

    @Override
    public String kind() {
        return "kafka";
    }

    @Override
    public Destination create(Settings settings) {
        return new KafkaDestination(KafkaConfig.from(settings));
    }
}
