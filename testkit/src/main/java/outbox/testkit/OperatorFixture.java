package outbox.testkit;

import outbox.spi.operations.OperatorStore;

/** What a store under test offers the {@link OperatorContract}. */
public interface OperatorFixture extends StoreFixture {

    OperatorStore operatorStore();

    /** The same, but a look ends after so many rows, so that a test needs few to see one that is cut. */
    OperatorStore operatorStore(int rowsPerLookMax);
}
