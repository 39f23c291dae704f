package outbox.testkit;

/** A chapter of the {@link StoreContract}. */
interface ContractPart {

    /** The store of this test. */
    StoreUnderTest underTest();
}
