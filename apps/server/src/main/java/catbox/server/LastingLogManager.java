package catbox.server;

import java.util.logging.LogManager;

/**
 * Keeps libraries logging while the server drains. The JDK's own manager removes its handlers as soon as the JVM begins
 * to shut down.
 */
public final class LastingLogManager extends LogManager {

    @Override
    public void reset() {
        // Nothing to reset: all lines go to the server's own log.
    }
}
