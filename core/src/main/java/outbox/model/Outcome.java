package outbox.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one attempt to deliver. What follows from it is decided when it is settled, and only there. */
public sealed interface Outcome {

    record Delivered() implements Outcome {}

    /** It may work later; {@code after} is the delay that was asked for, if one was. */
    record Retryable(String error, @Nullable Duration after) implements Outcome {}

    /** No later attempt can succeed. */
    record Rejected(String reason) implements Outcome {}
}
