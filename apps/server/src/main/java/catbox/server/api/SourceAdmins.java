package catbox.server.api;

import catbox.server.access.GuardedAdmin;
import catbox.server.access.Principal;
import catbox.server.engine.Engine;
import catbox.server.engine.Source;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.admin.OutboxAdmin;

/** Gives the users of the API and the console access to the sources. */
public final class SourceAdmins {

    private final Engine engine;

    public SourceAdmins(Engine engine) {
        this.engine = engine;
    }

    /** A source, and whether it is connected. */
    public record SourceView(
            String name, State state, @Nullable String problem) {

        public enum State {
            CONNECTED,
            CONNECTING,
            DISABLED,
            STOPPED
        }
    }

    public List<SourceView> all() {
        return engine.sources().values().stream().map(SourceAdmins::view).toList();
    }

    private static SourceView view(Source source) {
        String name = source.plan().name();
        return switch (source.state()) {
            case Source.State.Running running -> new SourceView(name, SourceView.State.CONNECTED, null);
            case Source.State.Connecting(String problem) -> new SourceView(name, SourceView.State.CONNECTING, problem);
            case Source.State.Disabled disabled -> new SourceView(name, SourceView.State.DISABLED, null);
            case Source.State.Stopped stopped -> new SourceView(name, SourceView.State.STOPPED, null);
        };
    }

    /**
     * The operations of a source, with the rights of a user.
     *
     * @throws NoSuchElementException if there is no such source
     * @throws OutboxException if it is not connected
     */
    public OutboxAdmin of(String name, Principal person) {
        Source source = engine.sources().get(name);
        if (source == null) {
            throw new NoSuchElementException("there is no source " + name + ", the sources are "
                    + engine.sources().keySet());
        }
        return new GuardedAdmin(
                source.admin(person.name())
                        .orElseThrow(() ->
                                new OutboxException("source " + name + " is not connected: " + reason(source.state()))),
                person);
    }

    private static String reason(Source.State state) {
        return switch (state) {
            case Source.State.Connecting(String problem) ->
                problem == null ? "the first connection is being made" : problem;
            case Source.State.Disabled disabled -> "it is disabled in the server's configuration";
            case Source.State.Stopped stopped -> "it is stopped";
            case Source.State.Running running -> "it has just been connected; repeat the request";
        };
    }
}
