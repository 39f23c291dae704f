package catbox.server.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.relay.observe.RelayListener;
import outbox.spi.TimeSource;

/** Keeps the state of a relay for health checks and findings. Written by the relay's threads, read by all threads. */
public final class SourceActivity implements RelayListener {

    private final TimeSource time;
    private final Map<String, DestinationState> destinations = new ConcurrentHashMap<>();
    private volatile @Nullable Long heartbeatAtNanos;
    private volatile @Nullable String lastFailure;

    /**
     * The state of a destination.
     *
     * @param lastError of an attempt since the last success; null for none
     */
    public record DestinationState(State breaker, @Nullable String lastError) {
        static final DestinationState HEALTHY = new DestinationState(State.CLOSED, null);
    }

    public SourceActivity(TimeSource time) {
        this.time = time;
    }

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.HeartbeatSent e -> {
                heartbeatAtNanos = time.nanoTime();
                lastFailure = null;
            }
            case RelayEvent.Left e -> heartbeatAtNanos = null;
            case RelayEvent.PartFailed e -> lastFailure = e.part() + ": " + e.error();
            case RelayEvent.Delivered e -> delivered(e.destination());
            case RelayEvent.Acknowledged e -> delivered(e.destination());
            case RelayEvent.AttemptFailed e -> failed(e.destination(), e.error());
            case RelayEvent.Postponed e -> failed(e.destination(), e.error());
            case RelayEvent.Died e -> failed(e.destination(), e.reason());
            case RelayEvent.BreakerChanged e ->
                destinations.compute(
                        e.destination(),
                        (name, before) ->
                                new DestinationState(e.state(), e.state() == State.CLOSED ? null : e.reason()));
            case RelayEvent.DestinationChanged e -> destinations.remove(e.destination());
            default -> {} // Other events do not change the state.
        }
    }

    // Most deliveries find no error, and need no write.
    private void delivered(String destination) {
        if (destinations.containsKey(destination)) {
            destinations.computeIfPresent(destination, (name, before) -> new DestinationState(before.breaker(), null));
        }
    }

    private void failed(String destination, String error) {
        destinations.compute(
                destination,
                (name, before) -> new DestinationState(before == null ? State.CLOSED : before.breaker(), error));
    }

    /** The time since the last heartbeat was written; empty while this node is not a member. */
    public Optional<Duration> sinceHeartbeat() {
        Long at = heartbeatAtNanos;
        return at == null ? Optional.empty() : Optional.of(Duration.ofNanos(time.nanoTime() - at));
    }

    /** The last failure of a part of the relay since the last heartbeat. */
    public Optional<String> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    public DestinationState destination(String name) {
        return destinations.getOrDefault(name, DestinationState.HEALTHY);
    }
}
