package outbox.mongodb;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The names of the outbox's collections. The application chooses the name of the events' collection, and the others
 * follow from it: {@code billing_outbox_event} comes with {@code billing_outbox_meta}.
 */
public record CollectionNames(String event) {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,99}");
    private static final Pattern EVENT_ENDING = Pattern.compile("_events?$", Pattern.CASE_INSENSITIVE);

    // Follows the patterns, which the constructor needs.
    public static final CollectionNames DEFAULT = new CollectionNames("outbox_event");

    public CollectionNames {
        if (!PLAIN.matcher(event).matches() || event.startsWith("system.")) {
            throw new IllegalArgumentException("collection name must be letters, digits, underscores, dots and hyphens,"
                    + " start with a letter or underscore, have at most 100 characters and not begin with system.;"
                    + " was \"" + event + "\"");
        }
    }

    /** The collection with the schema's version and the cluster's layout. */
    public String meta() {
        return derived("_meta");
    }

    /** The collection of running relays. */
    public String node() {
        return derived("_node");
    }

    /** The collection of partitions and their owners. */
    public String slot() {
        return derived("_slot");
    }

    /** The collection of pauses. */
    public String hold() {
        return derived("_hold");
    }

    /** The collection of operators' actions and of changes of ownership. */
    public String audit() {
        return derived("_audit");
    }

    public List<String> all() {
        return List.of(event, meta(), node(), slot(), hold(), audit());
    }

    private String derived(String ending) {
        return EVENT_ENDING.matcher(event).replaceFirst("") + ending;
    }
}
