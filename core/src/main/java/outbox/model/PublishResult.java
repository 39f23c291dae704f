package outbox.model;

import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * Where a message has arrived.
 *
 * @param eventType the type of the event
 * @param key the event's key, or null when it has none
 * @param metadata the place as the destination names it, for people to read
 * @param partition of a destination that has partitions, otherwise -1
 * @param offset of a destination that counts, otherwise -1
 */
public record PublishResult(String eventType, @Nullable String key, String metadata, int partition, long offset) {

    /** The result of a delivered event. */
    public static PublishResult of(EventEnvelope event, Outcome.Delivered delivered) {
        String place = delivered.place() == null ? "" : delivered.place();
        String partition = delivered.partition() < 0 ? "" : "-" + delivered.partition();
        String offset = delivered.offset() < 0 ? "" : "@" + delivered.offset();
        return new PublishResult(
                event.eventType(),
                event.orderingKey(),
                place + partition + offset,
                delivered.partition(),
                delivered.offset());
    }
}
