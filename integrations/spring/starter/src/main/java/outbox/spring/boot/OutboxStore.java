package outbox.spring.boot;

import java.time.Duration;
import java.util.Optional;
import outbox.OutboxException;
import outbox.spi.ClaimStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.relay.WakeUpChannel;

/** The application's one store, as delivery and health use it. It is ready for publishing. */
sealed interface OutboxStore permits JdbcStore, MongoStore {

    /** Describes the store for operators. */
    String description();

    ClaimStore claims();

    SettleStore settlements();

    RetentionStore retentionStore();

    /**
     * Creates the stores of one relay.
     *
     * @param workers number of partitions that are worked on at once
     * @param nodeTimeout upper bound for a reply of the store
     */
    OwnedRelayStores relayStores(int workers, Duration nodeTimeout);

    /** Selects how relays in other processes learn of commits here. */
    enum WakeUpMethod {
        /** They do not: they poll. */
        NONE,
        /** The committing process notifies them. */
        NOTIFY,
        /** The database streams all commits to them. */
        STREAM
    }

    WakeUpMethod wakeUpMethod();

    /** Creates a channel; empty when the database supports none. */
    Optional<WakeUpChannel> wakeUpChannel();

    /**
     * Checks that the events can be read. It does not check their version: while a newer instance migrates the store,
     * older ones still work.
     *
     * @throws OutboxException that gives the reason
     */
    void requireReachable();
}
