package outbox.spi.operations;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import outbox.internal.Utf8;
import outbox.model.OutboxEvent;
import outbox.util.JsonCodec;

/**
 * Writes the texts of the audit, the same for every store. They never contain payloads or the values of headers,
 * because readers of the audit may not be allowed to see those.
 */
public final class AuditText {

    public static final String REPLAY = "replay";
    public static final String DISCARD = "discard";
    public static final String EDIT = "edit";

    private AuditText() {}

    /** The subject of an action: the event if it is one, otherwise how the events were selected. */
    public static String subject(Selection selection, List<String> changed) {
        if (changed.size() == 1) {
            return changed.get(0);
        }
        return switch (selection) {
            case Selection.Ids ids -> changed.size() + " chosen events";
            case Selection.Matching matching -> matching.filter().describe();
        };
    }

    public static String replayed(int dead, int done, OperatorAction action) {
        String before = done == 0 ? dead + " dead" : dead == 0 ? done + " done" : dead + " dead and " + done + " done";
        return withReason("before: " + before + "; after: new, with no attempts", action);
    }

    public static String discarded(int dead, OperatorAction action) {
        return withReason("before: " + dead + " dead; after: done, not delivered", action);
    }

    public static String edited(OutboxEvent before, EventEdit edit, OperatorAction action) {
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
        return withReason(changes.toString(), action);
    }

    /** The last error of a discarded event. */
    public static String discardedError(OperatorAction action) {
        return withReason("discarded by " + action.who() + ", not delivered", action);
    }

    private static String withReason(String what, OperatorAction action) {
        return action.reason() == null ? what : what + "; why: " + action.reason();
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
