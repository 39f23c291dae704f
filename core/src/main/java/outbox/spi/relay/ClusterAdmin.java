package outbox.spi.relay;

import java.util.List;

/** Changes a running cluster for an operator. Its nodes follow within a heartbeat. */
public interface ClusterAdmin {

    /** Pauses something; false when it was paused already. */
    boolean pause(Pause.Subject subject, String reason, String by);

    /** Ends a pause; false when there was none. */
    boolean resume(Pause.Subject subject, String by);

    /** All pauses. */
    List<Pause> pauses();

    /**
     * Changes the number of partitions of a live table: creates the indexes for them, then makes the nodes hand over.
     * Publishers continue to write, and no event is lost or doubled.
     */
    void changePartitions(int partitions, String by);

    /**
     * Changes between {@link ClaimStrategy#PARTITIONED} and {@link ClaimStrategy#PRIMARY} while nodes run; any other
     * change needs all of them stopped.
     *
     * @throws outbox.LayoutMismatchException when running nodes cannot follow
     */
    void changeStrategy(ClaimStrategy strategy, String by);
}
