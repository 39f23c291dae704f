package outbox.kafka;

import java.util.Map;
import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;

final class KafkaTransportIT implements TransportContract {

    @Override
    public TransportFixture fixture() {
        return new KafkaFixture(Map.of());
    }
}
