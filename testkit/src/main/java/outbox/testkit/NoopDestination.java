package outbox.testkit;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/** A destination that takes everything at once and keeps nothing but a count. */
public final class NoopDestination implements Destination {

    private static final Outcome DELIVERED = new Outcome.Delivered();

    private final DestinationTraits traits;
    private final AtomicLong delivered = new AtomicLong();

    public NoopDestination() {
        this(DestinationTraits.streaming());
    }

    public NoopDestination(DestinationTraits traits) {
        this.traits = traits;
    }

    @Override
    public DestinationTraits traits() {
        return traits;
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        delivered.addAndGet(deliveries.size());
        for (int index = 0; index < deliveries.size(); index++) {
            receipt.report(index, DELIVERED);
        }
    }

    /** How many attempts it was given. */
    public long delivered() {
        return delivered.get();
    }

    @Override
    public void close() {}
}
