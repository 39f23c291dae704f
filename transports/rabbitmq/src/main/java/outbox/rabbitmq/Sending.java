package outbox.rabbitmq;

import outbox.model.Outcome;

/** One message on its way, and the place in its call where its outcome belongs. */
record Sending(Call call, int index, AmqpMessage message) {

    void report(Outcome outcome) {
        call.report(index, outcome);
    }

    /** Reports that it may work later. */
    void postpone(String error) {
        report(new Outcome.Retryable(message.route() + ": " + error, null));
    }

    /** Whether there is nobody left who waits for the outcome. */
    boolean isOver() {
        return call.isReported(index);
    }
}
