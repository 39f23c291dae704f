package catbox.console;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.model.Hold;

/** What operators have put on hold, and can let go. What a server's own file pauses is not among it. */
public final class Held {

    private final Set<Hold.Subject> subjects;

    Held(List<Hold> holds) {
        this.subjects = holds.stream().map(Hold::subject).collect(Collectors.toUnmodifiableSet());
    }

    public boolean is(String kind, String name) {
        return subjects.contains(new Hold.Subject(Hold.Kind.valueOf(kind.toUpperCase(Locale.ROOT)), name));
    }
}
