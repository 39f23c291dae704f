package outbox.admin;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.spi.relay.Pause;

/** Describes pauses in sentences. */
public final class PauseText {

    // What a store writes when a dead event pauses its key.
    private static final Pattern DEAD_EVENT = Pattern.compile("event (\\S+) is dead");

    private PauseText() {}

    /** Such as: key order-7. */
    public static String subject(Pause.Subject subject) {
        return subject.kind() == Pause.Kind.SOURCE
                ? "the source"
                : subject.kind().name().toLowerCase(Locale.ROOT) + " " + subject.name();
    }

    /** A whole sentence, with what to do. */
    static String sentence(Pause pause) {
        String what = subject(pause.subject());
        String begin = what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1) + " was paused at "
                + Phrases.at(pause.since());
        return deadEvent(pause)
                .map(eventId -> begin + " because its event " + eventId
                        + " is dead. Replay or discard that event, then resume the key.")
                .orElse(begin + " by " + pause.by() + ": " + pause.reason() + ". Resume " + what + " to continue.");
    }

    /** The dead event that has paused a key; empty for every other pause. */
    static Optional<String> deadEvent(Pause pause) {
        Matcher dead = DEAD_EVENT.matcher(pause.reason());
        return pause.subject().kind() == Pause.Kind.KEY && dead.matches()
                ? Optional.of(dead.group(1))
                : Optional.empty();
    }
}
