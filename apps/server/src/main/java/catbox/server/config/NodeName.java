package catbox.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds this node's name: OUTBOX_NODE_ID, else the file's, else HOSTNAME, else one of the machine's own making. */
final class NodeName {

    private final UnaryOperator<@Nullable String> environment;

    /** Made once, so that a file that is read again names the same node. */
    private final String made = machine()
            + "-"
            + String.format(Locale.ROOT, "%06x", ThreadLocalRandom.current().nextInt(1 << 24));

    NodeName(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    String choose(Optional<String> configured) {
        return variable("OUTBOX_NODE_ID")
                .or(() -> configured)
                .or(() -> variable("HOSTNAME"))
                .orElse(made);
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "node";
        }
    }
}
