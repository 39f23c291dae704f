package outbox.rabbitmq;

import outbox.model.Outcome;

/** One message on its way, and the place in its call where its outcome belongs. */
record PendingMessage(Call call, int index, AmqpMessage message) {

    /** Notes that it is being sent: without an answer, it may have arrived. */
    void begins() {
        call.begins(index);
    }

    void report(Outcome outcome) {
        call.report(index, outcome);
    }

    /** Whether nothing waits for the outcome any more. */
    boolean isOver() {
        return call.isReported(index);
    }
}
