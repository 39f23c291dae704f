package outbox.model;

import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * One attempt to deliver one event, as a destination receives it.
 *
 * @param attempt counted from 1
 * @param address the topic, queue or path that the event's route names; null: the destination's own setting
 * @param partition the partition of the event, the same for all deliveries of a call; {@link #NO_PARTITION} where there
 *     are none
 */
public record Delivery(
        EventEnvelope event, int attempt, @Nullable String address, int partition) {

    public static final int NO_PARTITION = -1;

    public Delivery(EventEnvelope event, int attempt) {
        this(event, attempt, null, NO_PARTITION);
    }
}
