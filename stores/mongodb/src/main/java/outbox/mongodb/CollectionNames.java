package outbox.mongodb;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The names of the outbox's collections. That of the events is the application's choice; the others follow from it:
 * {@code billing_outbox_event} has {@code billing_outbox_meta} beside it.
 */
public record CollectionNames(String event) {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,99}");
    private static final Pattern EVENT_ENDING = Pattern.compile("_events?$", Pattern.CASE_INSENSITIVE);

    // After the patterns, which its check needs.
    public static final CollectionNames DEFAULT = new CollectionNames("outbox_event");

    public CollectionNames {
        if (!PLAIN.matcher(event).matches() || event.startsWith("system.")) {
            throw new IllegalArgumentException("collection name must be letters, digits, underscores, dots and hyphens,"
                    + " start with a letter or underscore, have at most 100 characters and not begin with system.;"
                    + " was \"" + event + "\"");
        }
    }

    /** The collection with the schema's version and how the events are worked. */
    public String meta() {
        return beside("_meta");
    }

    /** The collection of running relays. */
    public String node() {
        return beside("_node");
    }

    /** The collection that says which relay owns which slot. */
    public String slot() {
        return beside("_slot");
    }

    /** The collection of what is on hold. */
    public String hold() {
        return beside("_hold");
    }

    /** The collection of what operators did, and of changes of ownership. */
    public String audit() {
        return beside("_audit");
    }

    /** All of them. */
    public List<String> all() {
        return List.of(event, meta(), node(), slot(), hold(), audit());
    }

    private String beside(String ending) {
        return EVENT_ENDING.matcher(event).replaceFirst("") + ending;
    }
}
