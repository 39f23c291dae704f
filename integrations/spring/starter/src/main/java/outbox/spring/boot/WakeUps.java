package outbox.spring.boot;

import java.util.Optional;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.spi.WakeUpChannel;
import outbox.spring.boot.OutboxProperties.WakeUpMode;

/** Carries word of commits to relays in other processes, where that is wanted and possible. */
record WakeUps(OutboxDatabase database, WakeUpMode mode) {

    /** A new channel. */
    Optional<WakeUpChannel> channel() {
        if (mode == WakeUpMode.OFF) {
            return Optional.empty();
        }
        if (database.hasWakeUps()) {
            return Optional.of(new PostgresWakeUpChannel(database.connections(), database.tables()));
        }
        if (mode == WakeUpMode.ON) {
            throw new InvalidOutboxPropertiesException("outbox.wake-up: is on, and only PostgreSQL with its own driver"
                    + " can tell other processes of commits; set it to auto or off");
        }
        return Optional.empty();
    }
}
