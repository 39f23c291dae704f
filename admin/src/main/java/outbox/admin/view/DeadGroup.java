package outbox.admin.view;

import java.time.Instant;
import java.util.List;
import outbox.spi.operations.BoundedCount;

/**
 * Dead events with the same kind of error.
 *
 * @param error their errors as a pattern, with {@code *} for numbers and ids; can be given as a filter
 * @param types of the events, by frequency
 * @param example the id of the latest
 */
public record DeadGroup(
        String error, BoundedCount count, List<String> types, Instant first, Instant last, String example) {}
