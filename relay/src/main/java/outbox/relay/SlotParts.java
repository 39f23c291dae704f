package outbox.relay;

import outbox.dispatch.StoreClock;
import outbox.model.SlotHold;
import outbox.relay.order.Lanes;

/** What the parts of a slot's work share. Only the slot's turn touches the lanes and the intake. */
record SlotParts(SlotHold hold, Surroundings around, Intake intake, Lanes lanes, Trial trial, StoreClock clock) {

    int slot() {
        return hold.slot();
    }

    long now() {
        return around.time().nanoTime();
    }
}
