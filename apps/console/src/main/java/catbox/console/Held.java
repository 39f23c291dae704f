package catbox.console;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.spi.relay.Pause;

/** What operators have put on hold, and can let go. What a server's own file pauses is not among it. */
public final class Held {

    private final Set<Pause.Subject> subjects;

    Held(List<Pause> holds) {
        this.subjects = holds.stream().map(Pause::subject).collect(Collectors.toUnmodifiableSet());
    }

    public boolean is(String kind, String name) {
        return subjects.contains(new Pause.Subject(Pause.Kind.valueOf(kind.toUpperCase(Locale.ROOT)), name));
    }
}
