package outbox.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one attempt to deliver. What follows from it is decided when it is settled, and only there. */
public sealed interface Outcome {

    /**
     * It has arrived, and the destination has said so.
     *
     * @param place where, as the destination calls it: a topic, a queue, a URL; null when it did not say
     * @param partition of a destination that has partitions, otherwise -1
     * @param offset of a destination that counts, otherwise -1
     */
    record Delivered(@Nullable String place, int partition, long offset) implements Outcome {

        public Delivered() {
            this(null, -1, -1);
        }
    }

    /** It may work later; {@code after} is the delay that was asked for, if one was. */
    record Retryable(String error, @Nullable Duration after) implements Outcome {}

    /** No later attempt can succeed. */
    record Rejected(String reason) implements Outcome {}
}
