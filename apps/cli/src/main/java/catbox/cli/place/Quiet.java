package catbox.cli.place;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What a library tells the operator of a server in its log, a command says itself. */
final class Quiet {

    /** Kept, because the JDK forgets a logger and its level when nobody holds it. */
    private static final Logger LIBRARIES = Logger.getLogger("outbox");

    private Quiet() {}

    static void begin() {
        LIBRARIES.setLevel(Level.WARNING);
    }
}
