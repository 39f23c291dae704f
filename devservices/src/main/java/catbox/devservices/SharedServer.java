package catbox.devservices;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server that is started once, on first use. After a failed start the next caller tries again. */
final class SharedServer<S extends DevServer> {

    private final Supplier<S> starter;

    /** Written and read under this object's monitor. */
    private @Nullable S server;

    SharedServer(Supplier<S> starter) {
        this.starter = starter;
    }

    synchronized S get() {
        S current = server;
        if (current == null) {
            current = starter.get();
            closeAtExit(current);
            server = current;
        }
        return current;
    }

    private static void closeAtExit(DevServer server) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "catbox-devservices-close"));
        } catch (IllegalStateException alreadyShuttingDown) {
            server.close();
            throw alreadyShuttingDown;
        }
    }
}
