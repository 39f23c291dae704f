package outbox.relay.internal.loop;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.relay.internal.claim.Cursor;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.Lanes;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/** Claims events for a loop: by ownership of the partition, or by a lease on each row. */
public interface Claimer {

    /**
     * Fetches into the lanes what fits; returns how many events were new.
     *
     * @param anyRoom whether room for one event is enough: events fill the memory for as long as their destination is down,
     *     and events of other destinations must not wait for that
     */
    int fill(Lanes lanes, boolean anyRoom);

    /**
     * Where another thread may fetch on behalf of this loop; null when the loop fetches for itself.
     */
    @Nullable
    Cursor cursor(Lanes lanes);

    /**
     * Takes what was fetched at a cursor, unless it is out of date: then the loop fetches for itself. Returns how many events
     * were new.
     */
    int accept(Lanes lanes, Cursor cursor, PartitionPage page);

    /** Renews claims, and drops what was lost. Called in every iteration. */
    void maintain(Lanes lanes);

    /** Fetches from the oldest pending event again. */
    void startOver();

    /** Asks for a fetch. Any thread. */
    void wake();

    /** Whether there is room for a fetch that is worth its cost. */
    boolean hasCapacity(Lanes lanes);

    /** Whether a fetch might bring something, and there is no room for it. */
    default boolean needsRoom(Lanes lanes) {
        return fetchesUnprompted() && !hasCapacity(lanes);
    }

    /** Whether it fetches as soon as there is room, and need not be woken. */
    boolean fetchesUnprompted();

    /** Whether {@link #fill} would fetch now. */
    boolean isReady(Lanes lanes);

    /** Whether the events of a lane are claimed here. */
    boolean owns(int lane);

    Claim claimOf(LaneEvent event);

    /** Whether an event that fails blocks those behind it in its lane. */
    boolean keepsOrder();

    /** These events were settled, or their claims are lost. */
    void settled(List<LaneEvent> events);

    /** Releases what is in memory and was not begun. */
    void release(Lanes lanes);

    /** Where a peek finds new events. */
    PeekRequest.Position position(Lanes lanes);
}
