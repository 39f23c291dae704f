package outbox.spi.relay;

import java.time.Duration;
import java.util.List;

/** Carries wake-ups between processes. One may be lost or come twice: the poll is behind it. */
public interface WakeUpChannel extends AutoCloseable {

    /** Sends at once, on a connection of the channel's own. */
    void send(WakeUp wakeUp);

    /** Waits for wake-ups, at most the given time. The first call begins to listen. */
    List<WakeUp> receive(Duration atMost) throws InterruptedException;

    @Override
    void close();
}
