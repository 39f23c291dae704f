package outbox.kafka;

import catbox.contract.TransportOutageContract;
import java.util.Map;
import outbox.internal.Ulids;
import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;
import outbox.testkit.TransportUnavailableContract;

final class KafkaTransactionalTransportIT
        implements TransportContract, TransportUnavailableContract, TransportOutageContract {

    @Override
    public TransportFixture fixture() {
        return new KafkaFixture(
                Map.of("transactional", "true", "transactional-id-prefix", "contract-" + Ulids.SYSTEM.next()));
    }
}
