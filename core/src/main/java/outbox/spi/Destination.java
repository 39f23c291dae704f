package outbox.spi;

import java.util.List;
import outbox.model.Delivery;
import outbox.model.Outcome;

/** Where a relay delivers to. It makes one attempt and reports; it owns no retry. */
public interface Destination extends AutoCloseable {

    /** What the relay has to know to hand over the right amount. */
    DestinationTraits traits();

    /**
     * Begins one attempt for each of the deliveries and returns soon. Those of one key are in order, and no other
     * call has one of that key until they are all reported.
     */
    void deliver(List<Delivery> deliveries, Receipt receipt);

    /** Ends what is under way as fast as possible. */
    @Override
    void close();

    /** Takes the outcomes of one call, in any order and on any thread. */
    @FunctionalInterface
    interface Receipt {
        /** Reports what became of the delivery at this index. Only the first report counts. */
        void report(int index, Outcome outcome);
    }
}
