package outbox.testkit;

/** A chapter of the {@link TransportContract}. */
interface TransportPart {

    TransportFixture fixture();

    /** What a test begins with. */
    default TransportUnderTest open() {
        return new TransportUnderTest(fixture());
    }
}
