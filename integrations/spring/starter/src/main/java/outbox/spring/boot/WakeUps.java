package outbox.spring.boot;

import java.util.Optional;
import outbox.spi.relay.WakeUpChannel;
import outbox.spring.boot.OutboxProperties.WakeUpMode;
import outbox.spring.boot.OutboxStore.WakeUpMethod;

/** Creates wake-up channels to relays in other processes, if configured and supported. */
record WakeUps(OutboxStore store, WakeUpMode mode) {

    /** Returns how relays learn of commits here. */
    WakeUpMethod method() {
        WakeUpMethod method = mode == WakeUpMode.OFF ? WakeUpMethod.NONE : store.wakeUpMethod();
        if (method == WakeUpMethod.NONE && mode == WakeUpMode.ON) {
            throw new InvalidOutboxPropertiesException("outbox.wake-up: is on, but only PostgreSQL with its own driver,"
                    + " and MongoDB, can notify other processes of commits; set it to auto or off");
        }
        return method;
    }

    /** Creates a channel; empty when relays are not woken. */
    Optional<WakeUpChannel> channel() {
        return method() == WakeUpMethod.NONE ? Optional.empty() : store.wakeUpChannel();
    }
}
