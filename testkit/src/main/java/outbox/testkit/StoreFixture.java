package outbox.testkit;

import java.util.List;
import outbox.spi.ClaimStore;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.PartitionStore;

/** What a store under test offers the {@link StoreContract}. */
public interface StoreFixture extends AutoCloseable {

    /** An independent connection with a transaction of its own. */
    Session newSession();

    ClaimStore claimStore();

    /** Settles what was claimed one by one. */
    SettleStore settleStore();

    OperatorStore operatorStore();

    StatisticsStore statisticsStore();

    RetentionStore retentionStore();

    PartitionStore relayStore();

    ClusterStore clusterStore();

    ClusterAdmin clusterAdmin();

    /** The failed attempts that were recorded of an event, in the order of their number. */
    List<FailedAttempt> failedAttempts(String eventId);

    /** Writes raw text into the headers of a committed event, as a foreign program might. */
    void corruptHeaders(String eventId, String headersText);

    /**
     * Removes all events, as an operator who empties the table does: the next one gets the first number again, where
     * the store counts its events.
     */
    void empty();

    @Override
    void close();

    /**
     * A failed attempt as it is kept for people.
     *
     * @param attempt counted from 1
     */
    record FailedAttempt(int attempt, String nodeId, String destination, String error) {}

    /** One application's connection. Several sessions can be open at once on one thread. */
    interface Session extends AutoCloseable {

        /** Stores into the transaction of this session. */
        PublishStore store();

        void begin();

        /** Commits, then runs the actions that were registered for after the commit. */
        void commit();

        void rollback();

        /** Rolls back what is open. */
        @Override
        void close();
    }
}
