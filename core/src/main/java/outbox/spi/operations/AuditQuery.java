package outbox.spi.operations;

import org.jspecify.annotations.Nullable;
import outbox.internal.Limits;

/**
 * One page of the audit, latest first.
 *
 * @param before continues behind the entry with this id; null for the first page
 */
public record AuditQuery(@Nullable Long before, int limit) {

    public static final int LIMIT_MAX = 1_000;

    public AuditQuery {
        Limits.oneTo(LIMIT_MAX, "limit", limit);
    }
}
