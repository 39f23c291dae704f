package catbox.cli.command;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.Pause;
import picocli.CommandLine.Parameters;

/** The parameters that name what to pause or resume. */
final class PauseSubject {

    @Parameters(index = "0", paramLabel = "KIND", description = "source, route, destination, partition, key or node")
    private Pause.Kind kind = Pause.Kind.SOURCE;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "name of the route, destination, key or node; number of the partition; none for the source")
    private @Nullable String name;

    Pause.Subject subject() {
        if (kind == Pause.Kind.SOURCE && name != null) {
            throw new IllegalArgumentException("the whole source has no name; was \"" + name + "\"");
        }
        if (kind != Pause.Kind.SOURCE && name == null) {
            throw new IllegalArgumentException(
                    "the name of the " + kind.name().toLowerCase(Locale.ROOT) + " is missing");
        }
        return new Pause.Subject(kind, name == null ? "" : name);
    }
}
