package outbox.relay;

import java.util.List;
import outbox.model.Claim;
import outbox.model.PollRequest;
import outbox.relay.order.LaneEvent;
import outbox.relay.order.Lanes;

/** Claim, as a slot's loop sees it: by ownership of the slot, or by a lease on each row. */
interface Intake {

    /** Reads into the lanes what there is room for; returns how many events were new. */
    int fill(Lanes lanes);

    /** Keeps hold of what is claimed; lets go of what was lost. Called at every turn. */
    void keep(Lanes lanes);

    /** Asks for a look at the store. Any thread. */
    void wake();

    /** Whether a look at the store might bring something, and there is no room for it. */
    boolean isHungry(Lanes lanes);

    /** Whether it looks for something new as soon as there is room, and need not be woken. */
    boolean looksAnyway();

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
    void giveBack(Lanes lanes);

    /** Where the store is to be looked at for news. */
    PollRequest.Position position(Lanes lanes);
}
