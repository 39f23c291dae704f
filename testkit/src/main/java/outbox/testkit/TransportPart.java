package outbox.testkit;

/** A chapter of the {@link TransportContract}. */
public interface TransportPart {

    TransportFixture fixture();

    /** What a test begins with. */
    default TransportUnderTest open() {
        return new TransportUnderTest(fixture());
    }
}
