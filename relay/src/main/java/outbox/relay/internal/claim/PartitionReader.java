package outbox.relay.internal.claim;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;

/**
 * Reads one slot from its oldest pending event on.
 *
 * <p>A transaction takes its place in the order when it inserts and is seen when it commits, so a reader that asks for
 * what lies behind the last row it saw skips rows, or delivers a younger event of a key before an older one. This
 * reader asks for what lies behind its <i>bound</i>: up to there, every event that will ever be visible has been read.
 * The bound rises only as far as the store vouches for (its horizon), and never past what was read. Where the store
 * vouches for nothing, the bound stays where it is and every look begins with the oldest pending event.
 *
 * <p>The bound is never stored: a new owner begins with the oldest pending event. So does this reader when the store says
 * that its numbers are others by now, and may lie below the bound.
 */
public final class PartitionReader {

    private final PartitionStore store;
    private final ClusterLayout terms;
    private final int slot;
    private long bound;
    private @Nullable Numbering numbering; // of the last page that was taken; null before the first

    public PartitionReader(PartitionStore store, ClusterLayout terms, int slot) {
        this.store = store;
        this.terms = terms;
        this.slot = slot;
    }

    /** Up to here, every event that will ever be visible has been read. */
    public long bound() {
        return bound;
    }

    /**
     * How much to read.
     *
     * @param lanesLeftOut the lanes to leave out
     * @param known the ids of events that were read before and need not come again
     */
    public record Room(int events, long bytes, Set<Integer> lanesLeftOut, Set<String> known) {

        /** Room that what was read before may take up again. */
        public Room(int events, long bytes, Set<Integer> lanesLeftOut) {
            this(events, bytes, lanesLeftOut, Set.of());
        }
    }

    /** Reads on. What was read before and is still pending may come again if it lies behind the bound. */
    public PartitionPage read(Room room) {
        return read(room, events -> events);
    }

    /**
     * Reads on.
     *
     * @param completion what has to be found out about the events; if that fails they do not count as read
     */
    public PartitionPage read(Room room, UnaryOperator<List<FetchedEvent>> completion) {
        return take(store.fetch(request(room)), completion);
    }

    /** What {@link #read} would ask for now. */
    public PartitionFetch request(Room room) {
        return new PartitionFetch(
                terms, slot, bound, numbering, room.lanesLeftOut(), room.known(), room.events(), room.bytes());
    }

    /** Whether nothing was taken since a {@link #request} that takes back what it has read, or changes its numbers. */
    public boolean isCurrent(PartitionFetch request) {
        return request.afterSeq() <= bound && Objects.equals(request.numbering(), numbering);
    }

    /**
     * Takes for read what came of a {@link #request}, which may have been made before others: nothing, if numbers are
     * others by now, since what was shown may be younger than what is below the bound.
     */
    public PartitionPage take(PartitionPage fetched, UnaryOperator<List<FetchedEvent>> completion) {
        if (fetched.horizon() == PartitionPage.OTHER_NUMBERS) {
            bound = 0;
            numbering = fetched.numbering();
            return new PartitionPage(List.of(), false, PartitionPage.OTHER_NUMBERS, numbering);
        }
        List<FetchedEvent> events = completion.apply(fetched.events());
        // Not the last one itself: after numbers have gone back another event may have the same, which did not fit.
        long readTo = fetched.complete()
                ? Long.MAX_VALUE
                : events.get(events.size() - 1).seq() - 1;
        bound = Math.max(bound, Math.min(fetched.horizon(), readTo));
        numbering = fetched.numbering();
        return new PartitionPage(events, fetched.complete(), fetched.horizon(), numbering);
    }

    /** The next look begins with the oldest pending event. */
    public void beginAnew() {
        bound = 0;
    }

    /** From where a pending event would be news. */
    public PeekRequest.Position position(Set<Integer> lanesLeftOut) {
        return new PeekRequest.Position(slot, bound, numbering, lanesLeftOut);
    }
}
