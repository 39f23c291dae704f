package outbox.spring.boot;

import java.util.Optional;
import outbox.spi.relay.WakeUpChannel;
import outbox.spring.boot.OutboxProperties.WakeUpMode;
import outbox.spring.boot.OutboxStore.WakeUpWay;

/** Carries word of commits to relays in other processes, where that is wanted and possible. */
record WakeUps(OutboxStore store, WakeUpMode mode) {

    /** How relays learn of commits here. */
    WakeUpWay way() {
        WakeUpWay way = mode == WakeUpMode.OFF ? WakeUpWay.NONE : store.wakeUpWay();
        if (way == WakeUpWay.NONE && mode == WakeUpMode.ON) {
            throw new InvalidOutboxPropertiesException("outbox.wake-up: is on, and only PostgreSQL with its own driver,"
                    + " and MongoDB, can tell other processes of commits; set it to auto or off");
        }
        return way;
    }

    /** A new channel. */
    Optional<WakeUpChannel> channel() {
        return way() == WakeUpWay.NONE ? Optional.empty() : store.wakeUpChannel();
    }
}
