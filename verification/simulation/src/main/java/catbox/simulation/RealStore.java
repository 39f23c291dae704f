package catbox.simulation;

import java.time.Duration;
import java.util.List;
import outbox.spi.ClaimStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.PartitionStore;
import outbox.testkit.SimulatedStore;
import outbox.testkit.StoreFixture;

/**
 * A real database, whose clock cannot be set. So when the world's time advances, the times that the database has stored are
 * moved back: a lease of ten seconds is over at once if its begin is moved ten seconds back.
 */
public interface RealStore extends SimulatedStore {

    /** The store as its contract tests it. */
    StoreFixture fixture();

    /**
     * Makes everything that counts by the store's clock older by so much: leases of nodes and claims, and when events
     * come due. What is negative makes it younger. An event that was to come due meanwhile comes due now, since relays ask
     * for what has come due since they last asked. Leaves alone what open transactions have written.
     */
    void pass(Duration time);

    @Override
    default Session newSession() {
        return fixture().newSession();
    }

    @Override
    default ClaimStore claimStore() {
        return fixture().claimStore();
    }

    @Override
    default SettleStore settleStore() {
        return fixture().settleStore();
    }

    @Override
    default OperatorStore operatorStore() {
        return fixture().operatorStore();
    }

    @Override
    default StatisticsStore statisticsStore() {
        return fixture().statisticsStore();
    }

    @Override
    default RetentionStore retentionStore() {
        return fixture().retentionStore();
    }

    @Override
    default PartitionStore relayStore() {
        return fixture().relayStore();
    }

    @Override
    default ClusterStore clusterStore() {
        return fixture().clusterStore();
    }

    @Override
    default ClusterAdmin clusterAdmin() {
        return fixture().clusterAdmin();
    }

    @Override
    default List<FailedAttempt> failedAttempts(String eventId) {
        return fixture().failedAttempts(eventId);
    }

    @Override
    default void corruptHeaders(String eventId, String headersText) {
        fixture().corruptHeaders(eventId, headersText);
    }

    @Override
    default void empty() {
        fixture().empty();
    }

    @Override
    default void close() {
        fixture().close();
    }
}
