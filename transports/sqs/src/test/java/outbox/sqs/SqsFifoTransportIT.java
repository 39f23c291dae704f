package outbox.sqs;

import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;
import outbox.testkit.TransportUnavailableContract;

final class SqsFifoTransportIT implements TransportContract, TransportUnavailableContract {

    @Override
    public TransportFixture fixture() {
        return SqsFixture.fifo();
    }
}
