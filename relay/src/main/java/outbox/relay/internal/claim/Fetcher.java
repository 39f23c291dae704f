package outbox.relay.internal.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.relay.internal.model.Pacing;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayListener;
import outbox.relay.route.Router;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/**
 * All reads of a node: what its loops fetch for themselves, what one thread fetches for several of them, and the peek at
 * all of them that is the fallback behind every wake-up.
 *
 * <p>To fetch for several loops at once costs little more than to fetch for one: in a steady flow most fetches find one
 * event, and the round trip costs more than what is read there. While events {@linkplain Pacer flow} no notification is
 * waited for: there is a fetch every few milliseconds, for all loops. Loops with much to do are woken, and fetch for
 * themselves at the same time. So do all of them for a while when a fetch for several has failed or took long, and
 * always where a store reads one slot after the other: no other loop hears of commits meanwhile.
 */
public final class Fetcher {

    private static final Duration OVERLAP = Duration.ofMinutes(1);
    private static final Duration OVERLAP_EVERY = Duration.ofSeconds(10);

    private final PartitionStore store;
    private final Router router;
    private final TimeSource time;
    private final RelayListener listener;
    private final Pacing pacing;
    private final Duration pollMax;
    private final Pacer pacer;
    private volatile long prefetchRestsUntilNanos;

    // Only the peek touches these.
    private Instant dueSince = Instant.EPOCH;
    private long overlappedNanos;
    private long peekedNanos;
    private Duration peekRest;

    /** A loop, as the reads that are made for several of them see it. Any thread may call. */
    public interface Loop {

        boolean isWorking();

        /** The layout under which its slot was acquired. */
        ClusterLayout terms();

        boolean owns(int lane);

        PeekRequest.Position position();

        /** Whether it fetches as soon as it has room, and need not be notified of anything new. */
        boolean fetchesUnprompted();

        /** Whether more lanes can be remembered in which something came due. */
        boolean canRememberLanes();

        /** There is something new in the store. */
        void wake();

        /** Where the caller, and no other, may fetch for this loop; null when it is to be woken instead. */
        @Nullable
        Cursor takeCursor();

        /** There was nothing new at the cursor, which may be used once more. */
        void fetchedNothing(Cursor cursor);

        /** What was fetched at its cursor. */
        void fetched(Cursor cursor, PartitionPage page);

        /** Delayed events of these lanes have come due. */
        void cameDue(List<Integer> lanes);
    }

    /**
     * The reads of a node.
     *
     * @param pollMax the longest rest between two peeks
     */
    public Fetcher(
            PartitionStore store,
            Router router,
            TimeSource time,
            RelayListener listener,
            Pacing pacing,
            Duration pollMax) {
        this.store = store;
        this.router = router;
        this.time = time;
        this.listener = listener;
        this.pacing = pacing;
        this.pollMax = pollMax;
        this.pacer = new Pacer(time, pacing);
        this.prefetchRestsUntilNanos = time.nanoTime();
        this.overlappedNanos = prefetchRestsUntilNanos;
        this.peekedNanos = overlappedNanos - pacing.busyPoll().toNanos();
        this.peekRest = pacing.pollMin();
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
    public Runnable prefetch(Collection<? extends Loop> notified, Collection<? extends Loop> others) {
        List<Prefetch> prefetches = new ArrayList<>();
        boolean rests = prefetchRestsUntilNanos - time.nanoTime() > 0;
        for (Loop loop : notified) {
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

    private static boolean gather(Loop loop, List<Prefetch> prefetches) {
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
            listener.on(new RelayEvent.PartFailed("the look for several slots", ErrorText.of(e), e));
        }
        long now = time.nanoTime();
        if (pages.isEmpty() || now - begun > pacing.slowFetch().toNanos()) {
            prefetchRestsUntilNanos = now + pacing.prefetchPause().toNanos();
        }
        return pages;
    }

    /** A fetch on behalf of a loop. */
    private record Prefetch(Loop loop, Cursor cursor) {

        // An iteration costs more than a fetch, so a loop has none for nothing.
        void handOver(PartitionPage page) {
            if (page.events().isEmpty() && !page.horizon().equals(Horizon.SEQUENCE_RESET)) {
                loop.fetchedNothing(cursor);
            } else {
                loop.fetched(cursor, page);
            }
        }
    }

    // ---- peek ----------------------------------------------------------------------------------------------------

    /**
     * Finds out which loops have something new, and what came due, and wakes them: often while there is something new and
     * no notification tells of it; seldom otherwise. Returns how long to rest.
     *
     * @param commitsNotified whether commits elsewhere are notified, so that a frequent peek is not needed
     */
    public Duration peek(Collection<? extends Loop> loops, boolean commitsNotified) {
        List<? extends Loop> working = loops.stream().filter(Loop::isWorking).toList();
        if (working.isEmpty()) {
            return pollMax;
        }
        long now = time.nanoTime();
        boolean busy = working.stream().allMatch(Loop::fetchesUnprompted);
        if (busy && now - peekedNanos < pacing.busyPoll().toNanos()) {
            return pacing.pollMin();
        }
        peekedNanos = now;
        ClusterLayout terms = working.getLast().terms();
        if (!terms.strategy().hasSlots()) {
            loops.forEach(Loop::wake);
            return rested(false, commitsNotified);
        }
        // Lanes in which something came due are remembered until they are read. While a loop cannot remember more, the
        // question is put off.
        boolean remembers = loops.stream().allMatch(Loop::canRememberLanes);
        PeekResult peeked = store.peek(
                new PeekRequest(terms, working.stream().map(Loop::position).toList(), remembers ? dueSince : null));
        if (remembers) {
            dueSince = peeked.dueCutOff() ? peeked.dueUntil() : overlapped(peeked.dueUntil());
        }
        loops.forEach(loop -> wake(loop, peeked));
        if (remembers && peeked.dueCutOff()) {
            return Duration.ZERO;
        }
        Duration usual = rested(!peeked.slots().isEmpty(), commitsNotified);
        Duration nextDue = peeked.nextDue();
        return nextDue != null && nextDue.compareTo(usual) < 0 ? nextDue : usual;
    }

    private static void wake(Loop loop, PeekResult peeked) {
        if (peeked.slots().contains(loop.position().slot())) {
            loop.wake();
        }
        List<Integer> due = peeked.lanesDue().stream().filter(loop::owns).toList();
        if (!due.isEmpty()) {
            loop.cameDue(due);
        }
    }

    // A replay gives an old event a due time of now, and may commit much later: its transaction is long if it replays
    // many. So every now and then the peek begins a while before the last one ended.
    private Instant overlapped(Instant dueUntil) {
        long now = time.nanoTime();
        if (now - overlappedNanos < OVERLAP_EVERY.toNanos()) {
            return dueUntil;
        }
        overlappedNanos = now;
        return dueUntil.minus(OVERLAP);
    }

    private Duration rested(boolean foundNew, boolean commitsNotified) {
        Duration doubled = peekRest.multipliedBy(2);
        peekRest = foundNew ? pacing.pollMin() : doubled.compareTo(pollMax) > 0 ? pollMax : doubled;
        return commitsNotified ? pollMax : peekRest;
    }
}
