package outbox.relay.internal.loop;

import outbox.dispatch.StoreClock;
import outbox.relay.internal.order.Lanes;
import outbox.spi.relay.PartitionOwnership;

/** What the parts of a slot's work share. Only the slot's turn touches the lanes and the intake. */
public record LoopContext(
        PartitionOwnership ownership,
        RelayContext relay,
        Claimer claimer,
        Lanes lanes,
        SuspectLock suspectLock,
        StoreClock clock) {

    public int partition() {
        return ownership.slot();
    }

    public long now() {
        return relay.time().nanoTime();
    }
}
