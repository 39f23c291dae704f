package outbox.spi.operations;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import outbox.internal.Utf8;
import outbox.model.OutboxEvent;
import outbox.util.JsonCodec;

/**
 * How stores word what operators do, so that an audit reads the same whatever keeps it. Payloads and the values of
 * headers are never among the words: who may read the audit may not read those.
 */
public final class AuditText {

    public static final String REPLAY = "replay";
    public static final String DISCARD = "discard";
    public static final String EDIT = "edit";

    private AuditText() {}

    /** What an act was done to: the event if it is one, otherwise how they were chosen. */
    public static String subject(Selection selection, List<String> changed) {
        if (changed.size() == 1) {
            return changed.get(0);
        }
        return switch (selection) {
            case Selection.Ids ids -> changed.size() + " chosen events";
            case Selection.Matching matching -> matching.filter().describe();
        };
    }

    public static String replayed(int dead, int done, OperatorAction act) {
        String before = done == 0 ? dead + " dead" : dead == 0 ? done + " done" : dead + " dead and " + done + " done";
        return because("before: " + before + "; after: new, with no attempts", act);
    }

    public static String discarded(int dead, OperatorAction act) {
        return because("before: " + dead + " dead; after: done, not delivered", act);
    }

    public static String edited(OutboxEvent before, EventEdit edit, OperatorAction act) {
        StringBuilder changes = new StringBuilder();
        String payload = edit.payloadJson();
        if (payload != null) {
            changes.append("payload, before: ").append(sizeOf(before)).append("; after: ");
            changes.append(Utf8.length(payload)).append(" bytes of JSON");
        }
        if (edit.headers() != null) {
            changes.append(changes.isEmpty() ? "" : "; ").append("headers, before: ");
            changes.append(namesOf(before.headersJson())).append("; after: ");
            changes.append(names(edit.headers().keySet()));
        }
        return because(changes.toString(), act);
    }

    /** The last error of a discarded event. */
    public static String discardedError(OperatorAction act) {
        return because("discarded by " + act.who() + ", not delivered", act);
    }

    private static String because(String what, OperatorAction act) {
        return act.reason() == null ? what : what + "; why: " + act.reason();
    }

    private static String sizeOf(OutboxEvent event) {
        if (event.payloadBytes() != null) {
            return event.payloadSize() + " bytes, binary";
        }
        return event.payloadJson() == null ? "none" : event.payloadSize() + " bytes of JSON";
    }

    private static String namesOf(@Nullable String headersJson) {
        if (headersJson == null) {
            return names(Set.of());
        }
        try {
            return names(JsonCodec.decode(headersJson).keySet());
        } catch (IllegalArgumentException unreadable) {
            return "unreadable";
        }
    }

    private static String names(Set<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", new TreeSet<>(names));
    }
}
