package catbox.server;

import java.util.logging.LogManager;

/**
 * Keeps the libraries' log lines coming while the server drains. The JDK's own manager throws its handlers away as soon
 * as the JVM begins to end, beside everything else that happens then.
 */
public final class LastingLogManager extends LogManager {

    @Override
    public void reset() {
        // There is nothing of the JDK's to reset: all lines go to the server's own log.
    }
}
