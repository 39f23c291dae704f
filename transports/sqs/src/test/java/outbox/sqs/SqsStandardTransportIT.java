package outbox.sqs;

import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;

final class SqsStandardTransportIT implements TransportContract {

    @Override
    public TransportFixture fixture() {
        return SqsFixture.standard();
    }
}
