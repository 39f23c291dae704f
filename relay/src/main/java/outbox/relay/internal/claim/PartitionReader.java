package outbox.relay.internal.claim;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/**
 * Knows the position in a partition: {@link #request} names what to fetch, {@link #accept} takes the page.
 *
 * <p>A transaction takes its place in the order when it inserts and is seen when it commits, so a reader that asks for
 * what lies behind the last row it saw skips rows, or delivers a younger event of a key before an older one. This
 * reader asks for what lies behind its <i>bound</i>: up to there, every event that will ever be visible has been read.
 * The bound rises at most to the store's horizon, and never past what was read. Where the store knows no horizon, the bound
 * stays where it is, and every fetch begins with the oldest pending event.
 *
 * <p>The bound is never stored: a new owner begins with the oldest pending event. So does this reader when the store reports
 * that its sequence was reset, because new numbers may lie below the bound.
 */
public final class PartitionReader {

    private final ClusterLayout terms;
    private final int partition;
    private long bound;
    private @Nullable Numbering numbering; // of the last page that was accepted; null before the first

    public PartitionReader(ClusterLayout terms, int partition) {
        this.terms = terms;
        this.partition = partition;
    }

    /** Up to here, every event that will ever be visible has been read. */
    public long bound() {
        return bound;
    }

    /**
     * How much a fetch may bring.
     *
     * @param lanesLeftOut the lanes to leave out
     * @param inMemory the ids of events that were read before and need not come again
     */
    public record Capacity(int events, long bytes, Set<Integer> lanesLeftOut, Set<String> inMemory) {

        /** A fetch may bring again what was fetched before. */
        public Capacity(int events, long bytes, Set<Integer> lanesLeftOut) {
            this(events, bytes, lanesLeftOut, Set.of());
        }
    }

    /** What to fetch now. What was read before and is still pending may come again if it lies behind the bound. */
    public PartitionFetch request(Capacity capacity) {
        return new PartitionFetch(
                terms,
                partition,
                bound,
                numbering,
                capacity.lanesLeftOut(),
                capacity.inMemory(),
                capacity.events(),
                capacity.bytes());
    }

    /** Whether nothing was accepted since a {@link #request} that takes back what it has read, or changes its numbers. */
    public boolean isCurrent(PartitionFetch request) {
        return request.afterSeq() <= bound && Objects.equals(request.numbering(), numbering);
    }

    /**
     * Takes for read what came of a {@link #request}, which may have been made before others, and returns the events:
     * none if numbers are others by now, since what was shown may be younger than what is below the bound.
     */
    public List<FetchedEvent> accept(PartitionPage page) {
        numbering = page.numbering();
        switch (page.horizon()) {
            case Horizon.SequenceReset reset -> {
                bound = 0;
                return List.of();
            }
            case Horizon.UpTo(long seq) -> bound = Math.max(bound, Math.min(seq, readTo(page)));
            case Horizon.Unknown unknown -> {}
        }
        return page.events();
    }

    // Not the last one itself: after numbers have gone back another event may have the same, which did not fit.
    private static long readTo(PartitionPage page) {
        return page.complete() ? Long.MAX_VALUE : page.events().getLast().seq() - 1;
    }

    /** The next fetch begins with the oldest pending event. */
    public void startOver() {
        bound = 0;
    }

    /** Where a peek finds new events. */
    public PeekRequest.Position position(Set<Integer> lanesLeftOut) {
        return new PeekRequest.Position(partition, bound, numbering, lanesLeftOut);
    }
}
