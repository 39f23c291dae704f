package outbox.rabbitmq;

import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

/** Creates destinations of the kind {@code rabbitmq}. */
public final class RabbitMqDestinationFactory implements DestinationFactory {

    @Override
    public String kind() {
        return "rabbitmq";
    }

    @Override
    public Destination create(Settings settings) {
        return new RabbitMqDestination(RabbitMqConfig.from(settings));
    }
}
