package outbox.spi;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.model.DeadFilter;
import outbox.model.DeadPosition;
import outbox.model.OutboxEvent;
import outbox.spi.operations.BoundedCount;

/** What a person needs when events are dead: see them, count them, send them again. */
public interface AdminStore {

    Optional<OutboxEvent> find(String eventId);

    /**
     * Dead events by creation time, oldest first.
     *
     * @param after continues behind this event; null begins with the oldest
     */
    List<OutboxEvent> listDead(DeadFilter filter, @Nullable DeadPosition after, int limit);

    /** How many dead events match, counted no further than the limit. */
    BoundedCount countDead(DeadFilter filter, int limit);

    /** Makes a dead event new again, with no attempts behind it. False when it is not dead. */
    boolean replay(String eventId);

    /** Replays the oldest dead events that match, at most the given number; returns how many. */
    int replayDead(DeadFilter filter, int max);
}
