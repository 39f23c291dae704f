package outbox.spring.boot;

import java.time.Duration;
import java.util.Optional;
import outbox.OutboxException;
import outbox.spi.ClaimStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.relay.WakeUpChannel;

/** Where the outbox is kept, as delivery and health see it. There is one, and it is ready to be published into. */
sealed interface OutboxStore permits JdbcStore, MongoStore {

    /** What it is, for people. */
    String place();

    ClaimStore claims();

    SettleStore settlements();

    RetentionStore retentionStore();

    /**
     * New stores for one relay.
     *
     * @param workers how many slots have their turn at once
     * @param nodeTimeout the store has to answer in less
     */
    OwnedRelayStores relayStores(int workers, Duration nodeTimeout);

    /** How relays in other processes learn of commits here. */
    enum WakeUpWay {
        /** Not at all: they look. */
        NONE,
        /** Whoever commits tells them. */
        SENT,
        /** They see commits themselves, whoever makes them. */
        SEEN
    }

    WakeUpWay wakeUpWay();

    /** A new channel; empty when there is no way. */
    Optional<WakeUpChannel> wakeUpChannel();

    /**
     * Looks whether the events can be reached. Not their version: while a newer instance brings the store up to date,
     * older ones still work.
     *
     * @throws OutboxException that says what is wrong
     */
    void reach();
}
