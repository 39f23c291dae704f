package outbox;

import outbox.model.Outcome;

/** A message was not confirmed; the outcome says whether trying again can help. */
public final class PublishFailedException extends OutboxException {

    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    public PublishFailedException(String eventId, Outcome outcome) {
        super("event " + eventId + " was not published: "
                + switch (outcome) {
                    case Outcome.Delivered delivered -> "it was";
                    case Outcome.Retryable retryable -> retryable.error();
                    case Outcome.Rejected rejected -> rejected.reason();
                    case Outcome.Unavailable unavailable -> unavailable.error();
                });
        this.outcome = outcome;
    }

    /** What the destination said. */
    public Outcome outcome() {
        return outcome;
    }
}
