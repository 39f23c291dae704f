package catbox.cli.place;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;

/** Opens what a command works on. */
public interface Opening {

    OutboxAdmin admin(Place place);

    Schema schema(Place database);

    /** The sources of a server, and how each stands. */
    List<SourceState> sources(Place.Server server);

    /** A source of a server, and in a word how it stands; if not well, why. */
    record SourceState(String name, String state, @Nullable String problem) {}
}
