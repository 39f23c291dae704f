package outbox.model;

import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * One attempt at one event, as a destination is given it.
 *
 * @param attempt counted from 1
 * @param address where within the destination, as the event's route says: a topic, a queue, a path; null: as the
 *     destination itself is set
 * @param partition that the event belongs to, the same for all deliveries of a call; {@link #NO_PARTITION} where there are none
 */
public record Delivery(
        EventEnvelope event, int attempt, @Nullable String address, int partition) {

    public static final int NO_PARTITION = -1;

    public Delivery(EventEnvelope event, int attempt) {
        this(event, attempt, null, NO_PARTITION);
    }
}
