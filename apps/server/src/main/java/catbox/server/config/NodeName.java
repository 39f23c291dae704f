package catbox.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Chooses the name of this node: OUTBOX_NODE_ID, else the file's, else HOSTNAME, else a generated one. */
final class NodeName {

    private final UnaryOperator<@Nullable String> environment;

    /** Generated once, so that the node keeps its name when the file is read again. */
    private final String generated = machine()
            + "-"
            + String.format(Locale.ROOT, "%06x", ThreadLocalRandom.current().nextInt(1 << 24));

    NodeName(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    String choose(Optional<String> configured) {
        return variable("OUTBOX_NODE_ID")
                .or(() -> configured)
                .or(() -> variable("HOSTNAME"))
                .orElse(generated);
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
