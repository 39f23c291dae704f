package outbox.admin;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.spi.relay.Pause;

/** What is on hold, as sentences say it. */
final class PauseText {

    // What a store writes when a dead event stops its key.
    private static final Pattern DEAD_EVENT = Pattern.compile("event (\\S+) is dead");

    private PauseText() {}

    /** Such as: key order-7. */
    static String subject(Pause.Subject subject) {
        return subject.kind() == Pause.Kind.SOURCE
                ? "the source"
                : subject.kind().name().toLowerCase(Locale.ROOT) + " " + subject.name();
    }

    /** A whole sentence, with what to do. */
    static String sentence(Pause hold) {
        String what = subject(hold.subject());
        String begin = what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1) + " is on hold since "
                + Phrases.at(hold.since());
        return deadEvent(hold)
                .map(eventId -> begin + " because its event " + eventId
                        + " is dead, and this source stops a key whose event has died. Replay or discard that event,"
                        + " then resume the key.")
                .orElse(begin + ", by " + hold.by() + ": " + hold.reason() + ". Resume " + what
                        + " to let events go on.");
    }

    /** The dead event that has stopped a key; empty for every other pause. */
    static Optional<String> deadEvent(Pause hold) {
        Matcher dead = DEAD_EVENT.matcher(hold.reason());
        return hold.subject().kind() == Pause.Kind.KEY && dead.matches()
                ? Optional.of(dead.group(1))
                : Optional.empty();
    }
}
