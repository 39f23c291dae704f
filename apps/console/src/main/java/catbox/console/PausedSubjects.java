package catbox.console;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.spi.relay.Pause;

/** What operators have paused and can resume. What a server's configuration pauses is not part of it. */
public final class PausedSubjects {

    private final Set<Pause.Subject> subjects;

    PausedSubjects(List<Pause> pauses) {
        this.subjects = pauses.stream().map(Pause::subject).collect(Collectors.toUnmodifiableSet());
    }

    public boolean contains(String kind, String name) {
        return subjects.contains(new Pause.Subject(Pause.Kind.valueOf(kind.toUpperCase(Locale.ROOT)), name));
    }
}
