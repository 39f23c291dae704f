package outbox.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The result of one attempt to deliver. Only {@link outbox.internal.SettleRule} decides what follows from it. */
public sealed interface Outcome {

    /**
     * The destination has confirmed the event.
     *
     * @param place where it arrived, as the destination calls it: a topic, a queue, a URL; null when it did not say
     * @param partition of a destination that has partitions, otherwise -1
     * @param offset of a destination that counts, otherwise -1
     */
    record Delivered(@Nullable String place, int partition, long offset) implements Outcome {

        public Delivered() {
            this(null, -1, -1);
        }
    }

    /**
     * The event failed, and a later attempt may succeed.
     *
     * @param after the delay that the destination asked for, if it did
     * @param unanswered whether the attempt ended without an answer, so that the event may have arrived. Such an
     *     attempt counts only if the destination confirmed other events in the meantime.
     */
    record Retryable(String error, @Nullable Duration after, boolean unanswered) implements Outcome {

        public Retryable(String error, @Nullable Duration after) {
            this(error, after, false);
        }

        /** No answer came in time, and the event may have arrived. */
        public static Retryable unanswered(String error) {
            return new Retryable(error, null, true);
        }
    }

    /** No later attempt can succeed, because of the event itself. */
    record Rejected(String reason) implements Outcome {}

    /**
     * The destination could not be reached or could not work, so the event was not delivered. This never counts as an
     * attempt, and the event keeps its place in the order of its key.
     *
     * @param scope how much of the destination is unavailable
     * @param after the delay that the destination asked for, if it did
     */
    record Unavailable(String error, Scope scope, @Nullable Duration after) implements Outcome {

        public Unavailable(String error, Scope scope) {
            this(error, scope, null);
        }

        /** How much of a destination is unavailable. */
        public enum Scope {
            /** Only this call: it was not sent because another event failed. It can be sent again at once. */
            CALL,
            /** The topic, queue or path that the event goes to; the rest of the destination may work. */
            ADDRESS,
            /** All of it. */
            DESTINATION
        }
    }
}
