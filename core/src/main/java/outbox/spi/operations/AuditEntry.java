package outbox.spi.operations;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change to the outbox, by an operator or by a node.
 *
 * @param subject what was changed: an event id, a key, a partition, or the description of a filter
 * @param detail the reason, and the values before and after
 */
public record AuditEntry(
        long id,
        Instant at,
        String who,
        String action,
        String subject,
        @Nullable String detail) {}
