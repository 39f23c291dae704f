package outbox.spi;

import java.util.ArrayList;
import java.util.List;
import outbox.model.Delivery;
import outbox.model.Outcome;

/** Answers every delivery with one outcome, or never. */
public final class FakeDestination implements Destination {

    private final List<Delivery> deliveries = new ArrayList<>();
    private final Outcome outcome;
    private boolean closed;

    /** Null: it does not answer. */
    public FakeDestination(Outcome outcome) {
        this.outcome = outcome;
    }

    public List<Delivery> deliveries() {
        return List.copyOf(deliveries);
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public DestinationTraits traits() {
        return DestinationTraits.requestResponse();
    }

    @Override
    public void deliver(List<Delivery> given, Receipt receipt) {
        for (int index = 0; index < given.size(); index++) {
            deliveries.add(given.get(index));
            if (outcome != null) {
                receipt.report(index, outcome);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
