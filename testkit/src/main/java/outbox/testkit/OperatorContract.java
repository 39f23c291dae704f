package outbox.testkit;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every store promises the tools of an operator, as tests against the ports alone. A store passes by a five-line
 * subclass, as it does the {@link StoreContract}.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class OperatorContract
        implements EventListContract,
                EventRecordContract,
                ReplayContract,
                BulkContract,
                EventChangeContract,
                ClusterReportContract {

    private @Nullable OperatorUnderTest store;

    /** A store for one test, as if new and closed after it: see {@link StoreContract#openStore()}. */
    protected abstract OperatorFixture openStore();

    @BeforeEach
    final void openFixture() {
        store = new OperatorUnderTest(openStore());
    }

    @AfterEach
    final void closeFixture() {
        if (store != null) {
            store.fixture().close();
        }
    }

    /** For the chapters. */
    @Override
    public final OperatorUnderTest operator() {
        if (store == null) {
            throw new IllegalStateException("no store is open: a test has not begun, or opening one failed");
        }
        return store;
    }
}
