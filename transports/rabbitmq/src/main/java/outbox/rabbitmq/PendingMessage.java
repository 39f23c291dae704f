package outbox.rabbitmq;

import outbox.internal.OpenCalls;
import outbox.model.Outcome;

/** A message in flight, with its index in its call. */
record PendingMessage(OpenCalls.Call call, int index, AmqpMessage message) {

    /** Records that it is being sent: without an answer, it may have arrived. */
    void markSent() {
        call.markSent(index);
    }

    void report(Outcome outcome) {
        call.report(index, outcome);
    }

    /** Returns whether its outcome is already reported. */
    boolean isReported() {
        return call.isReported(index);
    }
}
