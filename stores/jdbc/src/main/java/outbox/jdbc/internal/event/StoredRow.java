package outbox.jdbc.internal.event;

import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/**
 * A row as it was read. What could be read is there whatever the faults are, for people to see.
 *
 * @param fault why the event cannot be delivered; null for nearly all
 * @param status the number in its column, which may be none of ours
 */
public record StoredRow(
        OutboxEvent event, long seq, int status, @Nullable String fault) {

    public boolean isReadable() {
        return fault == null;
    }
}
