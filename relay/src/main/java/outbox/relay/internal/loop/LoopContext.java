package outbox.relay.internal.loop;

import outbox.dispatch.StoreClock;
import outbox.relay.internal.order.Lanes;
import outbox.spi.relay.PartitionOwnership;

/** What the parts of a slot's work share. Only the slot's turn touches the lanes and the intake. */
public record LoopContext(
        PartitionOwnership hold, RelayContext around, Claimer intake, Lanes lanes, Trial trial, StoreClock clock) {

    public int slot() {
        return hold.partition();
    }

    public long now() {
        return around.time().nanoTime();
    }
}
