package outbox.relay.internal.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import outbox.internal.ErrorText;
import outbox.relay.internal.model.Pacing;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayListener;
import outbox.relay.route.Router;
import outbox.spi.TimeSource;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;

/**
 * Fetches pending events: what loops fetch for themselves, and what one thread prefetches for several of them.
 *
 * <p>To fetch for several loops at once costs little more than to fetch for one: in a steady flow most fetches find one
 * event, and the round trip costs more than what is read. While events {@linkplain Pacer flow}, no notification is waited
 * for: there is a fetch every few milliseconds, for all loops. Loops with much to do are woken, and fetch for themselves at
 * the same time. All loops do so for a while after a prefetch has failed or took long, and always where a store reads one
 * partition after the other, because nothing is prefetched meanwhile.
 */
public final class Fetcher {

    private final PartitionStore store;
    private final Router router;
    private final TimeSource time;
    private final RelayListener listener;
    private final Pacing pacing;
    private final Pacer pacer;
    private volatile long prefetchRestsUntilNanos;

    public Fetcher(PartitionStore store, Router router, TimeSource time, RelayListener listener, Pacing pacing) {
        this.store = store;
        this.router = router;
        this.time = time;
        this.listener = listener;
        this.pacing = pacing;
        this.pacer = new Pacer(time, pacing);
        this.prefetchRestsUntilNanos = time.nanoTime();
    }

    // ---- reads that a loop makes for itself ----------------------------------------------------------------------

    public PartitionPage fetch(PartitionFetch request) {
        return fetch(List.of(request)).getFirst();
    }

    private List<PartitionPage> fetch(List<PartitionFetch> requests) {
        List<PartitionPage> pages = store.fetch(requests);
        Map<String, Set<String>> targets = acknowledged(pages.stream().flatMap(page -> page.events().stream()));
        return pages.stream()
                .map(page -> page.with(with(targets, page.events())))
                .toList();
    }

    public List<LanePage> fetchLanes(LaneFetch request) {
        List<LanePage> pages = store.fetchLanes(request);
        Map<String, Set<String>> targets = acknowledged(pages.stream().flatMap(page -> page.events().stream()));
        return pages.stream()
                .map(page -> page.with(with(targets, page.events())))
                .toList();
    }

    /** Adds to events which of their destinations have acknowledged them, where some go to several. */
    public List<FetchedEvent> withAcknowledgements(List<FetchedEvent> events) {
        return with(acknowledged(events.stream()), events);
    }

    private Map<String, Set<String>> acknowledged(Stream<FetchedEvent> events) {
        List<String> ids = router.fansOut()
                ? events.map(fetched -> fetched.event().eventId()).toList()
                : List.of();
        return ids.isEmpty() ? Map.of() : store.acknowledged(ids);
    }

    private static List<FetchedEvent> with(Map<String, Set<String>> targets, List<FetchedEvent> events) {
        if (targets.isEmpty()) {
            return events;
        }
        return events.stream()
                .map(fetched -> {
                    Set<String> own = targets.get(fetched.event().eventId());
                    return own == null ? fetched : fetched.withAcknowledged(own);
                })
                .toList();
    }

    // ---- reads for several loops ---------------------------------------------------------------------------------

    /** How long to rest before the next fetch for all loops; zero when the next notification is to be waited for. */
    public Duration untilPrefetch() {
        return pacer.rest();
    }

    /**
     * Fetches for loops that have a cursor, and wakes those that were notified and have none; returns what hands over the
     * pages.
     *
     * @param notified loops that have something new
     * @param others loops that may have something new all the same
     */
    public Runnable prefetch(Collection<? extends FetchingLoop> notified, Collection<? extends FetchingLoop> others) {
        List<Prefetch> prefetches = new ArrayList<>();
        boolean rests = prefetchRestsUntilNanos - time.nanoTime() > 0;
        for (FetchingLoop loop : notified) {
            if (rests || !gather(loop, prefetches)) {
                loop.wake();
            }
        }
        if (!rests) {
            others.forEach(loop -> gather(loop, prefetches));
        }
        long begun = time.nanoTime();
        List<PartitionPage> pages = prefetches.isEmpty() ? List.of() : prefetch(prefetches);
        int events = pages.stream().mapToInt(page -> page.events().size()).sum();
        pacer.found(events, Duration.ofNanos(time.nanoTime() - begun));
        if (pages.isEmpty()) {
            return () -> prefetches.forEach(each -> each.loop().wake());
        }
        return () -> {
            for (int i = 0; i < pages.size(); i++) {
                prefetches.get(i).handOver(pages.get(i));
            }
        };
    }

    private static boolean gather(FetchingLoop loop, List<Prefetch> prefetches) {
        Cursor cursor = loop.takeCursor();
        return cursor != null && prefetches.add(new Prefetch(loop, cursor));
    }

    // No pages when the loops are to fetch for themselves.
    private List<PartitionPage> prefetch(List<Prefetch> prefetches) {
        long begun = time.nanoTime();
        List<PartitionPage> pages = List.of();
        try {
            if (store.fetchesAllAtOnce()) {
                pages = fetch(
                        prefetches.stream().map(each -> each.cursor().request()).toList());
            }
        } catch (RuntimeException e) {
            listener.on(new RelayEvent.PartFailed("the fetch for several partitions", ErrorText.of(e), e));
        }
        long now = time.nanoTime();
        if (pages.isEmpty() || now - begun > pacing.slowFetch().toNanos()) {
            prefetchRestsUntilNanos = now + pacing.prefetchPause().toNanos();
        }
        return pages;
    }

    /** A fetch on behalf of a loop. */
    private record Prefetch(FetchingLoop loop, Cursor cursor) {

        // An iteration costs more than a fetch, so a loop is not woken for nothing.
        void handOver(PartitionPage page) {
            if (page.events().isEmpty() && !page.horizon().equals(Horizon.SEQUENCE_RESET)) {
                loop.fetchedNothing(cursor);
            } else {
                loop.fetched(cursor, page);
            }
        }
    }
}
