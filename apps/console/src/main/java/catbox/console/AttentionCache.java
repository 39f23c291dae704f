package catbox.console;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.Overview;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;

/**
 * How sources stand, as the first page shows it. A look counts thousands of rows, so pages that refresh themselves share
 * one, however many are open; whoever opens the page anew gets a look of his own.
 */
final class AttentionCache {

    static final Duration KEPT = Duration.ofSeconds(15);

    private final InstantSource clock;
    private final Map<String, Latest> latest = new ConcurrentHashMap<>();

    /**
     * One look at a source.
     *
     * @param storedAt when its latest event was stored; null when there is none
     */
    record Glance(
            Instant at,
            Overview overview,
            Part<List<Attention>> attention,
            @Nullable Instant storedAt) {}

    AttentionCache(InstantSource clock) {
        this.clock = clock;
    }

    /** Looks. */
    Glance fresh(PageContext shell, OutboxAdmin admin) {
        return of(shell).look(shell, admin, Duration.ZERO);
    }

    /** What was seen a moment ago, if anything was. */
    Glance recent(PageContext shell, OutboxAdmin admin) {
        return of(shell).look(shell, admin, KEPT);
    }

    private Latest of(PageContext shell) {
        return latest.computeIfAbsent(shell.source(), source -> new Latest());
    }

    /** Of one source. Who comes while somebody looks waits for what he sees. */
    private final class Latest {

        private @Nullable Glance seen; // guarded by this

        synchronized Glance look(PageContext shell, OutboxAdmin admin, Duration oldest) {
            Instant now = clock.instant();
            if (seen == null || !seen.at().plus(oldest).isAfter(now)) {
                Overview overview = admin.run(new Request.Overview());
                List<EventSummary> first = admin.run(new Request.Events(new EventQuery(EventFilter.ALL, null, 1)))
                        .events();
                seen = new Glance(
                        now,
                        overview,
                        Attention.of(shell, admin, overview),
                        first.isEmpty() ? null : first.get(0).state().createdAt());
            }
            return seen;
        }
    }
}
