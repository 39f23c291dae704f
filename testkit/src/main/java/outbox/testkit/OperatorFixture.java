package outbox.testkit;

import outbox.spi.operations.OperatorStore;

/** What a store under test offers the {@link OperatorContract}. */
public interface OperatorFixture extends StoreFixture {

    /** The {@link #operatorStore()}, but a search ends after this number of rows, so that a test needs few rows to see one that is cut. */
    OperatorStore operatorStore(int rowsPerLookMax);
}
