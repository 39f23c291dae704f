package outbox.spi.operations;

import org.jspecify.annotations.Nullable;

/**
 * One page of the audit, latest first.
 *
 * @param before continues behind the entry with this id; null for the first page
 */
public record AuditQuery(@Nullable Long before, int limit) {

    public static final int LIMIT_MAX = 1_000;

    public AuditQuery {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("limit must be from 1 to " + LIMIT_MAX + ", was " + limit);
        }
    }
}
