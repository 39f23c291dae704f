package outbox.rabbitmq;

import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;
import outbox.testkit.TransportUnavailableContract;

final class RabbitMqTransportIT implements TransportContract, TransportUnavailableContract {

    @Override
    public TransportFixture fixture() {
        return new RabbitMqFixture();
    }
}
