package catbox.cli.connection;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;

/** Opens the outbox that a command works on. */
public interface TargetOpener {

    OutboxAdmin admin(Target target);

    Schema schema(Target.Database database);

    /** Lists the sources of a server with their states. */
    List<SourceState> sources(Target.Server server);

    /** A source of a server; the problem says why it is not connected. */
    record SourceState(String name, String state, @Nullable String problem) {}
}
