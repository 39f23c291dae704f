package outbox.jdbc;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The names of the outbox's tables. The event table's name is the application's choice; the others follow from it:
 * {@code billing.outbox_event} has {@code billing.outbox_meta} next to it.
 */
public record TableNames(String event) {

    // Names become part of statements, so nothing but plain identifiers gets through. Index names are made from
    // them and must stay below PostgreSQL's 63 characters.
    private static final Pattern PLAIN =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,47}");
    private static final Pattern EVENT_ENDING = Pattern.compile("_event$", Pattern.CASE_INSENSITIVE);

    // After the patterns, which its check needs.
    public static final TableNames DEFAULT = new TableNames("outbox_event");

    public TableNames {
        if (!PLAIN.matcher(event).matches()) {
            throw new IllegalArgumentException("table name must be letters, digits and underscores, not starting with a"
                    + " digit, at most 48 characters, with a schema before a dot if need be; was \"" + event + "\"");
        }
    }

    /** The table that holds the schema's version and how the events are worked. */
    public String meta() {
        return sibling("_meta");
    }

    /** The table of running relays. */
    public String node() {
        return sibling("_node");
    }

    /** The table that says which relay owns which partition. */
    public String slot() {
        return sibling("_slot");
    }

    /** The table of failed attempts. */
    public String attempt() {
        return sibling("_attempt");
    }

    /** The table that says which of several destinations have acknowledged an event. */
    public String delivery() {
        return sibling("_delivery");
    }

    /** The table of pauses. */
    public String hold() {
        return sibling("_hold");
    }

    /** The table of what operators did, and of changes of ownership. */
    public String audit() {
        return sibling("_audit");
    }

    /** The table that says which events an entry of the audit is about. */
    public String auditEvent() {
        return sibling("_audit_event");
    }

    /** The table of what events carried before an operator changed it. */
    public String original() {
        return sibling("_original");
    }

    /** All of them, the event table first. */
    public List<String> all() {
        return List.of(event, meta(), node(), slot(), attempt(), delivery(), hold(), audit(), auditEvent(), original());
    }

    /** The tables that keep something of each event. */
    public List<String> ofEvents() {
        return List.of(attempt(), delivery(), original(), auditEvent());
    }

    private String sibling(String ending) {
        return EVENT_ENDING.matcher(event).replaceFirst("") + ending;
    }

    /** The event table's name without its schema, for the names of indexes. */
    public String unqualified() {
        return event.substring(event.indexOf('.') + 1);
    }
}
