package outbox.rabbitmq;

import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;

final class RabbitMqTransportIT implements TransportContract {

    @Override
    public TransportFixture fixture() {
        return new RabbitMqFixture();
    }
}
