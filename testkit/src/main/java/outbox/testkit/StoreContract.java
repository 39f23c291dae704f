package outbox.testkit;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every store promises, as tests against the ports alone. A store passes by a five-line subclass:
 *
 * <pre>{@code
 * class MyStoreIT extends StoreContract {
 *     @Override
 *     protected StoreFixture openStore() {
 *         return new MyStoreFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>The chapters are interfaces, so that each can be read by itself and one subclass runs them all. Nothing here
 * sleeps or moves a clock: where a lease has to expire it is a millisecond long, and the test asks again until it
 * has.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class StoreContract
        implements AtomicityContract,
                FidelityContract,
                ClaimContract,
                LeaseContract,
                SuspectContract,
                SettleContract,
                UpkeepContract,
                PartitionContract,
                LaneContract,
                HorizonContract,
                NumberingContract,
                PeekContract,
                FenceContract,
                DeathContract,
                SettlementContract,
                AcknowledgementContract,
                ClusterContract,
                LayoutContract,
                PauseContract {

    private @Nullable StoreUnderTest store;

    /**
     * A store for one test, closed after it. It is as if new: without events, members or holds, with 6 partitions,
     * and nobody has agreed with it on how it is worked.
     */
    protected abstract StoreFixture openStore();

    @BeforeEach
    final void openFixture() {
        store = new StoreUnderTest(openStore());
    }

    @AfterEach
    final void closeFixture() {
        if (store != null) {
            store.fixture().close();
        }
    }

    /** For the chapters. */
    @Override
    public final StoreUnderTest underTest() {
        if (store == null) {
            throw new IllegalStateException("no store is open: a test has not begun, or opening one failed");
        }
        return store;
    }
}
