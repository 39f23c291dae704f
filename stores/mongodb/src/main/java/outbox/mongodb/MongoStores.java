package outbox.mongodb;

import java.time.Duration;
import outbox.mongodb.internal.diagnosis.MongoDiagnosisStore;
import outbox.mongodb.internal.driver.AnswerTimes;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.event.MongoRetentionStore;
import outbox.mongodb.internal.event.MongoSettleStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.operations.MongoStatisticsStore;
import outbox.mongodb.internal.relay.MongoClusterAdmin;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.spi.ClaimStore;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.operations.DiagnosisStore;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.RelayStores;

/** Every port of one outbox in MongoDB: for publishers, dispatchers, relays and operator tools. */
public final class MongoStores {

    private final MongoSource source;

    public MongoStores(MongoSource source) {
        this.source = source;
    }

    /** Stores events in the context's transactions. */
    public PublishStore publishing(MongoTxContext context) {
        return new MongoPublishStore(context, source);
    }

    /** Claims events one by one. */
    public ClaimStore claims() {
        return new MongoClaimStore(source);
    }

    /** Settles events that were claimed one by one. */
    public SettleStore settlements() {
        return new MongoSettleStore(source);
    }

    /** The stores of a relay with the default node time-out. */
    public RelayStores relay() {
        return relay(AnswerTimes.NODE_TIMEOUT);
    }

    /**
     * The stores of a relay.
     *
     * @param nodeTimeout of the relay's cluster; every command of the relay ends earlier
     */
    public RelayStores relay(Duration nodeTimeout) {
        return new RelayStores(new MongoPartitionStore(source, nodeTimeout), new MongoClusterStore(source), claims());
    }

    /**
     * Checks that a relay with this layout could join, and changes nothing.
     *
     * @throws outbox.SchemaException when collections are missing or of another version
     * @throws outbox.LayoutMismatchException when the relays of this outbox have another layout
     */
    public void requireLayout(ClusterLayout layout) {
        new MongoClusterStore(source).check(layout);
    }

    public ClusterAdmin clusterAdmin() {
        return new MongoClusterAdmin(source);
    }

    /** Finds, counts, replays, discards and edits events. */
    public OperatorStore operations() {
        return new MongoOperatorStore(source);
    }

    public StatisticsStore statistics() {
        return new MongoStatisticsStore(source);
    }

    public DiagnosisStore diagnosis() {
        return new MongoDiagnosisStore(source);
    }

    /** Removes done events. */
    public RetentionStore retention() {
        return new MongoRetentionStore(source);
    }
}
