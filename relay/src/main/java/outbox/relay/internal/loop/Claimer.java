package outbox.relay.internal.loop;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.relay.internal.claim.Cursor;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.Lanes;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/** Claim, as a slot's loop sees it: by ownership of the slot, or by a lease on each row. */
public interface Claimer {

    /**
     * Reads into the lanes what there is room for; returns how many events were new.
     *
     * @param anyRoom whether a little room is enough: what fills the memory stays there for as long as its destination is
     *     down, and what is for others is not to wait for that
     */
    int fill(Lanes lanes, boolean anyRoom);

    /**
     * Where others may fetch on behalf of this slot; null when it fetches for itself, because it has much to read or cannot
     * be fetched for by others.
     */
    @Nullable
    Cursor cursor(Lanes lanes);

    /**
     * Takes what was fetched at a cursor, unless it is out of date: then the slot is to fetch for itself. Returns how many
     * events were new.
     */
    int accept(Lanes lanes, Cursor cursor, PartitionPage page);

    /** Keeps hold of what is claimed; lets go of what was lost. Called at every turn. */
    void maintain(Lanes lanes);

    /** Reads again from the beginning what is pending. */
    void startOver();

    /** Asks for a look at the store. Any thread. */
    void wake();

    /** Whether there is room for a fetch that is worth its cost. */
    boolean hasCapacity(Lanes lanes);

    /** Whether a fetch might bring something, and there is no room for it. */
    default boolean needsRoom(Lanes lanes) {
        return fetchesUnprompted() && !hasCapacity(lanes);
    }

    /** Whether it fetches as soon as there is room, and need not be woken. */
    boolean fetchesUnprompted();

    /** Whether {@link #fill} would look at the store now. */
    boolean isReady(Lanes lanes);

    /** Whether a lane is among those that are claimed here. */
    boolean owns(int lane);

    Claim claimOf(LaneEvent event);

    /** Whether a key that failed holds what is behind it. */
    boolean keepsOrder();

    /** These events were settled, or found to be somebody else's. */
    void settled(List<LaneEvent> events);

    /** Gives back what is in memory and was not begun. */
    void release(Lanes lanes);

    /** Where the store is to be looked at for news. */
    PeekRequest.Position position(Lanes lanes);
}
