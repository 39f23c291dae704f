package outbox.testkit;

/** A chapter of the {@link OperatorContract}. */
interface OperatorPart {

    /** The store of this test. */
    OperatorUnderTest operator();
}
