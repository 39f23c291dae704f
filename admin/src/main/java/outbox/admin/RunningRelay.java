package outbox.admin;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.DestinationView;
import outbox.admin.view.EventView;
import outbox.admin.view.RouteView;
import outbox.model.OutboxEvent;
import outbox.spi.operations.Finding;

/** What only a process with a running relay knows, about its own node and at this moment. */
public interface RunningRelay {

    List<DestinationView> destinations();

    /** Problems of this process: with destinations, connections and its configuration. */
    List<Finding> findings();

    /** How long done events stay until this relay removes them; empty if it does not remove them. */
    Optional<Duration> keepsDone();

    List<RouteView> routes(RouteView.@Nullable Sample sample);

    /** Where a recently delivered event has arrived, while this node remembers it. */
    Optional<EventView.Arrival> arrival(String eventId);

    /**
     * Sends events to a destination, those of a key in order, and waits for a bounded time until all are acknowledged.
     *
     * @throws java.util.NoSuchElementException if there is no such destination
     */
    Resent resend(List<OutboxEvent> events, String destination);

    /**
     * The result of a resend.
     *
     * @param acknowledged how many of the events, from the first on
     * @param failure why the next one was not; null when all were
     */
    record Resent(int acknowledged, @Nullable String failure) {}
}
