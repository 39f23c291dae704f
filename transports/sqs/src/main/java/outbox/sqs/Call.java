package outbox.sqs;

import java.util.BitSet;
import java.util.Set;
import outbox.model.Outcome;
import outbox.spi.Destination;

/** One call of the destination: sees to it that every delivery of it gets one outcome, whoever comes first. */
final class Call {

    private final int size;
    private final Destination.Receipt receipt;
    private final Set<Call> open;

    /** Guarded by itself. */
    private final BitSet reported = new BitSet();

    /**
     * Nothing reported yet.
     *
     * @param open the calls that are not over, which this one leaves when it is
     */
    Call(int size, Destination.Receipt receipt, Set<Call> open) {
        this.size = size;
        this.receipt = receipt;
        this.open = open;
    }

    void report(int index, Outcome outcome) {
        boolean over;
        synchronized (reported) {
            if (reported.get(index)) {
                return;
            }
            reported.set(index);
            over = reported.cardinality() == size;
        }
        if (over) {
            open.remove(this);
        }
        receipt.report(index, outcome);
    }

    /** Gives this outcome to all that have none. */
    void reportRest(Outcome outcome) {
        for (int index = 0; index < size; index++) {
            report(index, outcome);
        }
    }
}
