package outbox.relay.internal.loop;

import outbox.relay.internal.order.Lanes;
import outbox.relay.observe.RelayEvent;

/** What the parts of a loop share. Only the loop uses the lanes and the claimer. */
record LoopContext(LoopOwner owner, LoopNode node, RelayContext relay, Lanes lanes) {

    Claimer claimer() {
        return owner.claimer();
    }

    int partition() {
        return owner.ownership().partition();
    }

    long now() {
        return relay.time().nanoTime();
    }

    void publish(RelayEvent event) {
        relay.listener().on(event);
    }
}
