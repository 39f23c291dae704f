package outbox.spi.relay;

import java.time.Duration;
import java.util.List;

/** Carries wake-ups between processes. A wake-up may be lost or come twice: the relay polls as well. */
public interface WakeUpChannel extends AutoCloseable {

    /** Sends at once, on the channel's own connection. */
    void send(WakeUp wakeUp);

    /** Waits for wake-ups, at most the given time. The first call begins to listen. */
    List<WakeUp> receive(Duration atMost) throws InterruptedException;

    @Override
    void close();
}
