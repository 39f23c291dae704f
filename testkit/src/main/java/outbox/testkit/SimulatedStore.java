package outbox.testkit;

/** A store that a simulated cluster can work on. */
public interface SimulatedStore extends StoreFixture {

    /** How many partitions the events are divided into. */
    int partitions();

    /** The connection on which a session beats is lost: a store that can see that will show it until the next beat. */
    void disconnect(String session);

    /** Whether nothing is pending. */
    boolean isQuiet();
}
