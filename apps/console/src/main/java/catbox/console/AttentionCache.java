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
 * Caches the state of sources as the first page shows it. Reading it counts thousands of rows, so open pages that refresh
 * share one reading, however many there are; a page that is opened reads anew.
 */
final class AttentionCache {

    static final Duration KEPT = Duration.ofSeconds(15);

    private final InstantSource clock;
    private final Map<String, Latest> latest = new ConcurrentHashMap<>();

    /**
     * The state of a source at one moment.
     *
     * @param storedAt when its latest event was stored; null when there is none
     */
    record Snapshot(
            Instant at,
            Overview overview,
            Part<List<Attention>> attention,
            @Nullable Instant storedAt) {}

    AttentionCache(InstantSource clock) {
        this.clock = clock;
    }

    /** Reads a snapshot. */
    Snapshot fresh(PageContext shell, OutboxAdmin admin) {
        return snapshot(shell, admin, Duration.ZERO);
    }

    /** A snapshot of the last seconds if there is one; reads one otherwise. */
    Snapshot recent(PageContext shell, OutboxAdmin admin) {
        return snapshot(shell, admin, KEPT);
    }

    private Snapshot snapshot(PageContext shell, OutboxAdmin admin, Duration ageMax) {
        return latest.computeIfAbsent(shell.source(), source -> new Latest()).snapshot(shell, admin, ageMax);
    }

    /** Of one source. A caller that arrives during a reading waits for its result. */
    private final class Latest {

        private @Nullable Snapshot snapshot; // guarded by this

        synchronized Snapshot snapshot(PageContext shell, OutboxAdmin admin, Duration ageMax) {
            Instant now = clock.instant();
            if (snapshot == null || !snapshot.at().plus(ageMax).isAfter(now)) {
                Overview overview = admin.run(new Request.Overview());
                List<EventSummary> first = admin.run(new Request.Events(new EventQuery(EventFilter.ALL, null, 1)))
                        .events();
                Instant storedAt = first.isEmpty() ? null : first.get(0).state().createdAt();
                snapshot = new Snapshot(now, overview, Attention.of(shell, admin, overview), storedAt);
            }
            return snapshot;
        }
    }
}
