package outbox.model;

import java.time.Instant;

/** A place in the list of dead events, from which it can be continued. */
public record DeadPosition(Instant createdAt, String eventId) {

    public static DeadPosition of(OutboxEvent event) {
        return new DeadPosition(event.createdAt(), event.eventId());
    }
}
