package catbox.cli.connection;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Silences the information that libraries log for the operator of a server: commands print it themselves. */
final class LogSilencer {

    /** A field, because the JDK forgets a logger and its level once it is garbage. */
    private static final Logger LIBRARIES = Logger.getLogger("outbox");

    private LogSilencer() {}

    static void begin() {
        LIBRARIES.setLevel(Level.WARNING);
    }
}
