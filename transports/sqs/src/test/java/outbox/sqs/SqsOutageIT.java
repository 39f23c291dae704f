package outbox.sqs;

import catbox.contract.TransportOutageContract;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import outbox.testkit.TransportFixture;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class SqsOutageIT implements TransportOutageContract {

    @Override
    public TransportFixture fixture() {
        return SqsFixture.standard();
    }
}
