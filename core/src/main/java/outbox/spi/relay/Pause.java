package outbox.spi.relay;

import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Stops a part of the delivery until it is resumed. An operator or a dead event sets it.
 *
 * @param by the operator or node that set it
 */
public record Pause(Subject subject, String reason, String by, Instant since) {

    /**
     * The part that is paused.
     *
     * @param name the name of the route, destination, key or node, or the number of the partition; empty for the whole
     *     source. A key may be empty too
     */
    public record Subject(Kind kind, String name) {

        private static final Pattern PARTITION = Pattern.compile("\\d{1,4}");

        public Subject {
            if (kind != Kind.KEY && (kind == Kind.SOURCE) != name.isEmpty()) {
                throw new IllegalArgumentException("a pause of " + kind + " needs "
                        + (kind == Kind.SOURCE ? "no name, was \"" + name + "\"" : "a name"));
            }
            if (kind == Kind.PARTITION && !PARTITION.matcher(name).matches()) {
                throw new IllegalArgumentException("a partition is a number of at least 0, was \"" + name + "\"");
            }
            int characters = name.codePointCount(0, name.length()); // Databases count characters so.
            if (characters > 255) {
                throw new IllegalArgumentException("the name of a pause has at most 255 characters, had " + characters);
            }
        }

        /** The name in the audit. */
        public String describe() {
            return (kind.name().toLowerCase(Locale.ROOT) + " " + name).strip();
        }
    }

    /** The kinds of parts that can be paused. */
    public enum Kind {
        SOURCE,
        ROUTE,
        DESTINATION,
        PARTITION,
        KEY,
        /** A paused node owns no partitions, as if its weight were 0: it is drained. */
        NODE
    }
}
