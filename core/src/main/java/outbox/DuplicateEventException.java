package outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event id is already stored. The application decides whether that ends its transaction. On PostgreSQL the
 * transaction can only continue if the publish had a savepoint.
 */
public final class DuplicateEventException extends OutboxException {

    private static final long serialVersionUID = 1L;

    private final String[] eventIds;

    public DuplicateEventException(List<String> eventIds, @Nullable Throwable cause) {
        super(
                eventIds.size() == 1
                        ? "event id " + eventIds.get(0) + " is already stored"
                        : "one of these " + eventIds.size() + " event ids is already stored: " + shortened(eventIds),
                cause);
        this.eventIds = eventIds.toArray(String[]::new);
    }

    /** The ids of the refused statement; a single one unless a batch was refused as a whole. */
    public List<String> eventIds() {
        return List.of(eventIds);
    }

    private static String shortened(List<String> ids) {
        return ids.size() <= 10 ? ids.toString() : ids.subList(0, 10) + " and " + (ids.size() - 10) + " more";
    }
}
