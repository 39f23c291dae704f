package outbox.relay.internal.claim;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/** A loop, as reads that are made for several loops see it. Any thread may call. */
public interface FetchingLoop {

    boolean isWorking();

    /** The layout under which its partition was acquired. */
    ClusterLayout terms();

    boolean owns(int lane);

    /** Where a peek finds new events. */
    PeekRequest.Position position();

    /** Whether it fetches as soon as it has room, and need not be notified of anything new. */
    boolean fetchesUnprompted();

    /** Whether it can remember more lanes in which something came due. */
    boolean canRememberLanes();

    /** There is something new in the store. */
    void wake();

    /** Where the caller, and no other thread, may fetch for this loop; null when the loop is to be woken instead. */
    @Nullable
    Cursor takeCursor();

    /** There was nothing new at the cursor, which may be used once more. */
    void fetchedNothing(Cursor cursor);

    /** What was fetched at its cursor. */
    void fetched(Cursor cursor, PartitionPage page);

    /** Delayed events of these lanes have come due. */
    void cameDue(List<Integer> lanes);
}
