package outbox.spi.operations;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that was done to the outbox, by a person or by a node.
 *
 * @param subject what it was done to: an event id, a key, a partition, or a filter in words
 * @param detail why, and what changed: before and after
 */
public record AuditEntry(
        long id,
        Instant at,
        String who,
        String action,
        String subject,
        @Nullable String detail) {}
