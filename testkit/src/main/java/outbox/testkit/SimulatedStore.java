package outbox.testkit;

/** A store that a simulated cluster can work on. */
public interface SimulatedStore extends StoreFixture {

    /** How many partitions the events are divided into. */
    int partitions();

    /** Whether nothing is pending. */
    boolean isQuiet();
}
