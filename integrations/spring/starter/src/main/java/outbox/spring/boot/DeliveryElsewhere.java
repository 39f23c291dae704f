package outbox.spring.boot;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.relay.wake.WakeUpSender;
import outbox.spi.HotPath;
import outbox.spi.WakeUpChannel;

/** Delivers nothing, and wakes who does after every commit, if the database has a way. */
final class DeliveryElsewhere implements EventDelivery {

    private final WakeUps wakeUps;

    /** Written by the thread that starts and stops the application, read by any. */
    private volatile @Nullable Running running;

    private record Running(WakeUpSender sender, WakeUpChannel channel) {}

    DeliveryElsewhere(WakeUps wakeUps) {
        this.wakeUps = wakeUps;
    }

    @Override
    public @Nullable HotPath start() {
        WakeUpChannel channel = wakeUps.channel().orElse(null);
        if (channel == null) {
            return null;
        }
        WakeUpSender sender = new WakeUpSender(channel).start();
        running = new Running(sender, channel);
        return sender;
    }

    @Override
    public void stop() {
        Running was = running;
        running = null;
        if (was != null) {
            was.sender().close();
            was.channel().close();
        }
    }

    @Override
    public Map<String, Object> details() {
        return Map.of("wakesRelays", running != null);
    }

    @Override
    public @Nullable String complaint() {
        return null;
    }
}
