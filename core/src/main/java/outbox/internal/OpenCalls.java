package outbox.internal;

import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.spi.Destination;

/**
 * Tracks the unfinished calls of a destination whose outcomes come from several threads. Each delivery gets exactly one
 * outcome, that of the first report. Closing reports all deliveries without an outcome, and no call starts afterwards.
 */
public final class OpenCalls {

    private final int callsMax;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();

    /** Locked while a call starts, so that none starts after the destination was closed. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private boolean closed;

    /** The result of starting a call. */
    public enum Start {
        STARTED,
        TOO_MANY,
        CLOSED
    }

    public OpenCalls(int callsMax) {
        this.callsMax = callsMax;
    }

    /** Creates a call, which may report outcomes before it starts. */
    public Call call(int size, Destination.Receipt receipt) {
        return new Call(size, receipt);
    }

    /** Runs the start of a call, unless the destination is closed or has too many calls. */
    public Start start(Call call, Runnable start) {
        lock.lock();
        try {
            if (closed || open.size() >= callsMax) {
                return closed ? Start.CLOSED : Start.TOO_MANY;
            }
            open.add(call);
            start.run();
            return Start.STARTED;
        } finally {
            lock.unlock();
        }
    }

    /** Reports all deliveries without an outcome. Returns false when the destination was closed before. */
    public boolean close(Outcome ofSent, Outcome ofOthers) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        open.forEach(call -> call.reportRest(ofSent, ofOthers));
        return true;
    }

    /** One call of the destination. */
    public final class Call {

        private final int size;
        private final Destination.Receipt receipt;

        /** Guarded by its own lock, as are the other fields that change. */
        private final BitSet reported = new BitSet();

        private final BitSet sent = new BitSet();
        private @Nullable Future<?> deadline;

        private Call(int size, Destination.Receipt receipt) {
            this.size = size;
            this.receipt = receipt;
        }

        /** Cancels the task when every delivery has an outcome. */
        public void cancelWhenDone(Future<?> task) {
            synchronized (reported) {
                if (reported.cardinality() == size) {
                    task.cancel(false);
                } else {
                    deadline = task;
                }
            }
        }

        public void report(int index, Outcome outcome) {
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

        public boolean isReported(int index) {
            synchronized (reported) {
                return reported.get(index);
            }
        }

        /** Records that a delivery is being sent: without an answer, it may have arrived. */
        public void markSent(int index) {
            synchronized (reported) {
                sent.set(index);
            }
        }

        /** Reports all deliveries without an outcome. */
        public void reportRest(Outcome ofSent, Outcome ofOthers) {
            for (int index = 0; index < size; index++) {
                boolean wasSent;
                synchronized (reported) {
                    wasSent = sent.get(index);
                }
                report(index, wasSent ? ofSent : ofOthers);
            }
        }
    }
}
