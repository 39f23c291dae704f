package outbox.spi.relay;

import java.util.List;

/** What an operator does to a running cluster. Its nodes follow within a heartbeat. */
public interface ClusterAdmin {

    /** Puts something on hold; false when it was already. */
    boolean pause(Pause.Subject subject, String reason, String by);

    /** Ends a hold; false when there was none. */
    boolean resume(Pause.Subject subject, String by);

    /** Everything on hold. */
    List<Pause> pauses();

    /**
     * Changes the number of partitions of a live table: makes ready what reading them needs, then asks the nodes to
     * hand over. Producers go on writing, and nothing is lost or doubled.
     */
    void changePartitions(int partitions, String by);

    /**
     * Changes between {@link ClaimStrategy#PARTITIONED} and {@link ClaimStrategy#PRIMARY} while nodes run; any other
     * change needs all of them stopped.
     *
     * @throws outbox.LayoutMismatchException when nodes run that cannot follow
     */
    void changeStrategy(ClaimStrategy strategy, String by);
}
