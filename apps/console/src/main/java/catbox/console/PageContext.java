package catbox.console;

import catbox.console.Sources.Rights;
import catbox.console.Sources.State;
import java.util.List;
import java.util.NoSuchElementException;
import outbox.OutboxException;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;

/** The source and the rights of a page's reader, with links to other pages of the same source. */
public final class PageContext {

    private final Sources sources;
    private final State source;
    private final Rights rights;

    PageContext(Sources sources, State source) {
        this.sources = sources;
        this.source = source;
        this.rights = sources.rights();
    }

    /** Of the source with this name; without a name, of the first that is connected, or else of the first. */
    static PageContext of(Sources sources, String name) {
        List<State> states = sources.states();
        State chosen = states.stream()
                .filter(state ->
                        name.isEmpty() ? state.connected() : state.name().equals(name))
                .findFirst()
                .or(() -> states.stream().filter(state -> name.isEmpty()).findFirst())
                .orElseThrow(() -> new NoSuchElementException(
                        states.isEmpty() ? "This server has no source." : "There is no source \"" + name + "\"."));
        return new PageContext(sources, chosen);
    }

    /** The source's operations; fails with the reason if it is not connected. */
    OutboxAdmin admin() {
        if (!source.connected()) {
            String problem = source.problem();
            throw new OutboxException("The source \"" + source.name() + "\" is " + source.state()
                    + (problem == null ? "." : ": " + problem));
        }
        return sources.admin(source.name());
    }

    public String source() {
        return source.name();
    }

    public State state() {
        return source;
    }

    public List<State> states() {
        return sources.states();
    }

    public Rights rights() {
        return rights;
    }

    public boolean may(String operation) {
        return Operation.of(operation).map(rights::may).orElse(false);
    }

    public String event(String id) {
        return at("/event", "id", id);
    }

    /** A page of the same source, with parameters by name and value; those without a value are left out. */
    public String at(String path, String... parameters) {
        boolean several = sources.states().size() > 1;
        String source = several ? "?source=" + Links.encoded(source()) : "";
        return path + source + Links.query(parameters, several ? "&" : "?");
    }
}
