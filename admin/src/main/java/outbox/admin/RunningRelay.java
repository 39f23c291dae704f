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

/** What only a process with a running relay knows, of this node and as of now. */
public interface RunningRelay {

    List<DestinationView> destinations();

    /** What is wrong in this process: with destinations, connections, and what it was told to do. */
    List<Finding> findings();

    /** How long done events stay until this relay removes them; empty when it does not. */
    Optional<Duration> keepsDone();

    List<RouteView> routes(RouteView.@Nullable Sample sample);

    /** Where a recently delivered event has arrived, as long as this node remembers. */
    Optional<EventView.Arrival> arrival(String eventId);

    /**
     * Sends events to a destination by its name, those of a key in order, and waits for a while until all are
     * acknowledged.
     *
     * @throws java.util.NoSuchElementException when there is no such destination
     */
    Resent resend(List<OutboxEvent> events, String destination);

    /**
     * How far it came.
     *
     * @param acknowledged how many of the events, from the first on
     * @param failure why the next one was not; null when all were
     */
    record Resent(int acknowledged, @Nullable String failure) {}
}
