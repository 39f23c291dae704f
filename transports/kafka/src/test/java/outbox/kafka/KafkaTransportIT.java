package outbox.kafka;

import catbox.contract.TransportOutageContract;
import java.util.Map;
import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;
import outbox.testkit.TransportUnavailableContract;

final class KafkaTransportIT implements TransportContract, TransportUnavailableContract, TransportOutageContract {

    @Override
    public TransportFixture fixture() {
        return new KafkaFixture(Map.of());
    }
}
