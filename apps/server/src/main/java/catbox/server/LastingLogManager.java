package catbox.server;

import java.util.logging.LogManager;

/**
 * Keeps logging while the server drains. The JDK's own manager removes its handlers as soon as the JVM begins to shut
 * down, at the same time as all other shutdown hooks run.
 */
public final class LastingLogManager extends LogManager {

    @Override
    public void reset() {
        // No handler of the JDK is in use: all lines go to the server's own log.
    }
}
