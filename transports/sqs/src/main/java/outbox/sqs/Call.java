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

    /** What SQS was asked to take. Guarded by what is reported. */
    private final BitSet asked = new BitSet();

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

    /** Notes that a message is about to be sent: without an answer, it may have arrived. */
    void asks(int index) {
        synchronized (reported) {
            asked.set(index);
        }
    }

    private boolean isAsked(int index) {
        synchronized (reported) {
            return asked.get(index);
        }
    }

    /** Gives all that have no outcome one of these. */
    void reportRest(Outcome ofAsked, Outcome ofOthers) {
        for (int index = 0; index < size; index++) {
            report(index, isAsked(index) ? ofAsked : ofOthers);
        }
    }
}
