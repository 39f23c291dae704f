package outbox.rabbitmq;

import catbox.contract.TransportOutageContract;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import outbox.testkit.TransportFixture;

@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class RabbitMqOutageIT implements TransportOutageContract {

    @Override
    public TransportFixture fixture() {
        return new RabbitMqFixture();
    }
}
