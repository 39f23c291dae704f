package outbox.spring.boot;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.relay.WakeUpSender;
import outbox.spi.HotPath;
import outbox.spi.relay.WakeUpChannel;
import outbox.spring.boot.OutboxStore.WakeUpMethod;

/** Delivers nothing. After every commit it wakes relays in other processes, if the database supports that. */
final class NoDelivery implements EventDelivery {

    private final WakeUps wakeUps;

    /** Written by the thread that starts and stops the application, read by any. */
    private volatile @Nullable Running running;

    /**
     * @param sender null where relays see commits themselves, or are not woken
     */
    private record Running(
            WakeUpMethod method,
            @Nullable WakeUpSender sender,
            @Nullable WakeUpChannel channel) {}

    NoDelivery(WakeUps wakeUps) {
        this.wakeUps = wakeUps;
    }

    @Override
    public @Nullable HotPath start() {
        WakeUpMethod method = wakeUps.method();
        WakeUpChannel channel =
                method == WakeUpMethod.NOTIFY ? wakeUps.channel().orElse(null) : null;
        WakeUpSender sender = channel == null ? null : new WakeUpSender(channel).start();
        running = new Running(method, sender, channel);
        return sender;
    }

    @Override
    public void stop() {
        Running was = running;
        running = null;
        if (was != null && was.sender() != null && was.channel() != null) {
            was.sender().close();
            was.channel().close();
        }
    }

    @Override
    public Map<String, Object> details() {
        Running now = running;
        return Map.of("wakesRelays", now != null && now.method() != WakeUpMethod.NONE);
    }

    @Override
    public @Nullable String problem() {
        Running now = running;
        return now == null || now.sender() == null
                ? null
                : EventDelivery.problemOf(now.sender().endedLoops());
    }
}
