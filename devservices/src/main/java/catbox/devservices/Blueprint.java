package catbox.devservices;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * All that is needed to run one server whose data folder is ready.
 *
 * @param port the one that clients use
 * @param ready whether a server that has been started can serve clients by now; asked again and again
 * @param environment variables for the server's process, beside those of this one
 */
record Blueprint(String name, int port, BooleanSupplier ready, List<String> command, Map<String, String> environment) {

    Blueprint {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    Blueprint(String name, int port, BooleanSupplier ready, List<String> command) {
        this(name, port, ready, command, Map.of());
    }
}
