package outbox.testkit;

/** A store that a simulated cluster can work on. */
public interface SimulatedStore extends StoreFixture {

    /** How many partitions the events are divided into. */
    int partitions();

    /** A session loses its connection: a store that can see that shows it until the next heartbeat. */
    void disconnect(String session);

    /** Whether nothing is pending. */
    boolean isQuiet();
}
