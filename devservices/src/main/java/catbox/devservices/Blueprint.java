package catbox.devservices;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Everything needed to run a server whose data folder is prepared.
 *
 * @param port the one that clients use
 * @param ready whether a started server can serve clients now; called repeatedly
 * @param environment variables for the server's process, in addition to those of this one
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
