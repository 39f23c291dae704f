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

/** Remembers of what a relay tells just enough to say how it is. Written by the relay's threads, read by all. */
public final class SourceActivity implements RelayListener {

    private final TimeSource time;
    private final Map<String, DestinationState> destinations = new ConcurrentHashMap<>();
    private volatile @Nullable Long beatenAtNanos;
    private volatile @Nullable String lastFailure;

    /**
     * How a destination is.
     *
     * @param lastError of an attempt, since the last one that went well; null for none
     */
    public record DestinationState(State breaker, @Nullable String lastError) {
        static final DestinationState FINE = new DestinationState(State.CLOSED, null);
    }

    public SourceActivity(TimeSource time) {
        this.time = time;
    }

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.HeartbeatSent e -> {
                beatenAtNanos = time.nanoTime();
                lastFailure = null;
            }
            case RelayEvent.Left e -> beatenAtNanos = null;
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
            default -> {} // The rest is for those who log and count.
        }
    }

    // Deliveries are many and mostly find nothing to forget.
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

    /** How long ago the last heartbeat was written; empty while this node is no member. */
    public Optional<Duration> sinceBeat() {
        Long at = beatenAtNanos;
        return at == null ? Optional.empty() : Optional.of(Duration.ofNanos(time.nanoTime() - at));
    }

    /** What failed in the engine since the last heartbeat. */
    public Optional<String> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    public DestinationState destination(String name) {
        return destinations.getOrDefault(name, DestinationState.FINE);
    }
}
