package catbox.cli.place;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;

/** Opens the outbox that a command works on. */
public interface Opening {

    OutboxAdmin admin(Place place);

    Schema schema(Place database);

    /** Lists the sources of a server with their states. */
    List<SourceState> sources(Place.Server server);

    /** A source of a server; the problem says why it is not connected. */
    record SourceState(String name, String state, @Nullable String problem) {}
}
