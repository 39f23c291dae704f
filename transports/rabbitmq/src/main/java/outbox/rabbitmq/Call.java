package outbox.rabbitmq;

import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.spi.Destination;

/** One call of the destination: sees to it that every delivery of it gets one outcome, whoever comes first. */
final class Call {

    private final int size;
    private final Destination.Receipt receipt;
    private final Set<Call> open;

    /** Guarded by itself, and so is the deadline. */
    private final BitSet reported = new BitSet();

    /** What the broker was or is being sent. Guarded by what is reported. */
    private final BitSet begun = new BitSet();

    private @Nullable Future<?> deadline;

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

    /** What to call off when the call is over. */
    void endsBy(Future<?> task) {
        synchronized (reported) {
            if (reported.cardinality() == size) {
                task.cancel(false);
            } else {
                deadline = task;
            }
        }
    }

    void report(int index, Outcome outcome) {
        synchronized (reported) {
            if (reported.get(index)) {
                return;
            }
            reported.set(index);
            if (reported.cardinality() == size) {
                open.remove(this);
                if (deadline != null) {
                    deadline.cancel(false);
                }
            }
        }
        receipt.report(index, outcome);
    }

    boolean isReported(int index) {
        synchronized (reported) {
            return reported.get(index);
        }
    }

    /** Notes that a message is being sent. */
    void begins(int index) {
        synchronized (reported) {
            begun.set(index);
        }
    }

    private boolean isBegun(int index) {
        synchronized (reported) {
            return begun.get(index);
        }
    }

    /** Gives all that have no outcome one of these. */
    void reportRest(Outcome ofBegun, Outcome ofOthers) {
        for (int index = 0; index < size; index++) {
            report(index, isBegun(index) ? ofBegun : ofOthers);
        }
    }
}
