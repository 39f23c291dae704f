package outbox.spi.relay;

import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Something that an operator, or a dead event, has stopped.
 *
 * @param by who stopped it
 */
public record Pause(Subject subject, String reason, String by, Instant since) {

    /**
     * What is stopped.
     *
     * @param name of the route, destination, key or node; the number of the partition; empty for the whole source. A key
     *     may be empty too
     */
    public record Subject(Kind kind, String name) {

        private static final Pattern PARTITION = Pattern.compile("\\d{1,4}");

        public Subject {
            if (kind != Kind.KEY && (kind == Kind.SOURCE) != name.isEmpty()) {
                throw new IllegalArgumentException("a hold on " + kind + " needs "
                        + (kind == Kind.SOURCE ? "no name, was \"" + name + "\"" : "a name"));
            }
            if (kind == Kind.PARTITION && !PARTITION.matcher(name).matches()) {
                throw new IllegalArgumentException("a partition is a number from 0 on, was \"" + name + "\"");
            }
            int characters = name.codePointCount(0, name.length()); // As databases count those of a key.
            if (characters > 255) {
                throw new IllegalArgumentException("the name of a hold has at most 255 characters, had " + characters);
            }
        }

        /** As the audit names it. */
        public String describe() {
            return (kind.name().toLowerCase(Locale.ROOT) + " " + name).strip();
        }
    }

    /** The kinds of things that can be stopped. */
    public enum Kind {
        SOURCE,
        ROUTE,
        DESTINATION,
        PARTITION,
        KEY,
        /** A node on hold owns no slots, as if its weight were 0: it is drained. */
        NODE
    }
}
