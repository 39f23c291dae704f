package outbox.testkit;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * What every transport promises, as tests against {@link outbox.spi.Destination} alone, on the real server. A transport
 * passes by a five-line subclass:
 *
 * <pre>{@code
 * class MyTransportIT implements TransportContract {
 *     @Override
 *     public TransportFixture fixture() {
 *         return new MyTransportFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>The contract hands events over as a relay does: within the destination's traits, and the next event of a key only
 * when the former is reported. Nothing here sleeps; every wait has an end.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
public interface TransportContract
        extends TransportDeliveryContract, TransportOrderContract, TransportFailureContract, TransportCloseContract {

    /** One for each test, closed after it. */
    @Override
    TransportFixture fixture();
}
