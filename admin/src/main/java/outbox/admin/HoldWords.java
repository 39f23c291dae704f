package outbox.admin;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.model.Hold;

/** What is on hold, as sentences say it. */
final class HoldWords {

    // What a store writes when a dead event stops its key.
    private static final Pattern DEAD_EVENT = Pattern.compile("event (\\S+) is dead");

    private HoldWords() {}

    /** Such as: key order-7. */
    static String subject(Hold.Subject subject) {
        return subject.kind() == Hold.Kind.SOURCE
                ? "the source"
                : subject.kind().name().toLowerCase(Locale.ROOT) + " " + subject.name();
    }

    /** A whole sentence, with what to do. */
    static String sentence(Hold hold) {
        Matcher dead = DEAD_EVENT.matcher(hold.reason());
        String what = subject(hold.subject());
        String begin = what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1);
        if (hold.subject().kind() == Hold.Kind.KEY && dead.matches()) {
            return begin + " is on hold since " + Words.at(hold.since()) + " because its event " + dead.group(1)
                    + " is dead, and this source stops a key whose event has died. Replay or discard that event,"
                    + " then resume the key.";
        }
        return begin + " is on hold since " + Words.at(hold.since()) + ", by " + hold.by() + ": " + hold.reason()
                + ". Resume " + what + " to let events go on.";
    }

    /** Whether it is the death of this event that has stopped a key. */
    static boolean isOfDeadEvent(Hold hold, String eventId) {
        Matcher dead = DEAD_EVENT.matcher(hold.reason());
        return hold.subject().kind() == Hold.Kind.KEY && dead.matches() && eventId.equals(dead.group(1));
    }
}
