package outbox.rabbitmq;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import outbox.testkit.TransportFixture;
import outbox.testkit.TransportOutageContract;

@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class RabbitMqOutageIT implements TransportOutageContract {

    @Override
    public TransportFixture fixture() {
        return new RabbitMqFixture();
    }
}
