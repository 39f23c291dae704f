package outbox.relay.internal.deliver;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.relay.DestinationConfig;
import outbox.relay.DestinationStatus;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.relay.observe.RelayListener;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.TimeSource;

/**
 * Admits events to one destination, for all partitions of a node: how many may be in flight, how fast, and whether any.
 *
 * <p>A loop reserves a permit, uses as much of it as it can, and releases the rest. A loop that gets none is woken when
 * there may be one. Everything is guarded by this; nothing foreign is called under the lock.
 */
public final class DestinationGate {

    private final String name;
    private final Destination destination;
    private final Optional<Checkable> checkable;
    private final DestinationTraits traits;
    private final DestinationConfig config;
    private final TimeSource time;
    private final RelayListener listener;

    private final DestinationHealth health;
    private final GateCapacity capacity;
    private final AddressBreakers addresses;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private boolean paused;
    /** What to do once nothing is in flight any more; null while the gate is in use, and after that was done. */
    private @Nullable Runnable retirement;

    private volatile boolean retired; // written under the lock

    /** Whether nothing has failed since the last success: another success changes nothing. Written under the lock. */
    private volatile boolean healthy;
    /** When the last event was delivered. Written by any thread that reports a delivery. */
    private volatile long deliveredNanos;

    public DestinationGate(
            String name, Destination destination, DestinationConfig config, TimeSource time, RelayListener listener) {
        this.name = name;
        this.destination = destination;
        this.checkable = Checkable.of(destination);
        this.traits = destination.traits();
        this.config = config;
        this.time = time;
        this.listener = listener;
        this.health = new DestinationHealth(config, time);
        this.capacity = new GateCapacity(traits, new RateLimit(config.eventsPerSecondMax(), time.nanoTime()));
        this.addresses = new AddressBreakers(name, config, time, listener, () -> retired);
        this.deliveredNanos = time.nanoTime() - 1;
    }

    public String name() {
        return name;
    }

    public Destination destination() {
        return destination;
    }

    public DestinationTraits traits() {
        return traits;
    }

    /** The addresses of the destination that are unavailable. */
    public AddressBreakers addresses() {
        return addresses;
    }

    DestinationConfig config() {
        return config;
    }

    // ---- permits -------------------------------------------------------------------------------------------------

    /**
     * What was reserved for one call.
     *
     * @param probe whether this is the one event that a half-open circuit breaker lets through
     */
    public record Permit(int keys, int events, long bytes, boolean probe) {

        public boolean isNone() {
            return keys == 0;
        }
    }

    /** Reserves a permit for one call; when there is none, the waker is run once there may be one. */
    public Permit reserve(Runnable waker) {
        boolean halfOpened;
        boolean replaced;
        Permit permit;
        synchronized (this) {
            long now = time.nanoTime();
            CircuitBreaker breaker = health.breaker;
            replaced = retired;
            boolean wasOpen = breaker.state() == State.OPEN;
            boolean allowed = !retired && !paused && breaker.allows(now);
            boolean probe = breaker.state() == State.HALF_OPEN;
            permit = capacity.take(allowed, probe, now);
            halfOpened = wasOpen && probe;
            if (permit.probe()) {
                breaker.probeStarted(now);
            }
            if (permit.isNone() && !retired) {
                waiting.add(waker);
            }
        }
        if (replaced) {
            waker.run();
        }
        if (halfOpened) {
            listener.on(
                    new RelayEvent.BreakerChanged(name, State.HALF_OPEN, "its open time is over, one event probes it"));
        }
        return permit;
    }

    /** Releases what a call did not use of its permit. An event that is larger than the permit took the whole of it. */
    public void release(Permit permit, int usedKeys, int usedEvents, long usedBytes) {
        Runnable change = () -> {
            capacity.release(permit, usedKeys, usedEvents, usedBytes);
            if (permit.probe() && usedEvents == 0) {
                health.breaker.probeAbandoned();
            }
        };
        if (usedEvents < permit.events()) {
            wakeAfter(change);
        } else {
            synchronized (this) {
                change.run();
            }
        }
        retireIfIdle();
    }

    void eventAnswered(long eventBytes, boolean lastOfItsKey) {
        wakeAfter(() -> capacity.eventAnswered(eventBytes, lastOfItsKey));
        retireIfIdle();
    }

    /** The probe found out nothing, and another event may probe. */
    void probeAbandoned() {
        wakeAfter(health.breaker::probeAbandoned);
    }

    /** Changes something under the lock, and wakes the loops that wait for a permit. */
    private void wakeAfter(Runnable change) {
        List<Runnable> wakers;
        synchronized (this) {
            change.run();
            wakers = takeWakers();
        }
        wakers.forEach(Runnable::run);
    }

    private List<Runnable> takeWakers() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Runnable> wakers = List.copyOf(waiting);
        waiting.clear();
        return wakers;
    }

    /** How long to wait before asking for a permit again; null when the waker will be run. */
    public synchronized @Nullable Duration nextTry() {
        if (paused) {
            return null;
        }
        long nanos = Math.max(health.breaker.untilProbeNanos(time.nanoTime()), capacity.untilRateAllowsNanos());
        return nanos > 0 ? Duration.ofNanos(nanos) : null;
    }

    // ---- answers -------------------------------------------------------------------------------------------------

    /** The destination confirmed an event at this reading of the monotonic clock. */
    void delivered(long nowNanos) {
        deliveredNanos = nowNanos;
        answered("an event was delivered");
    }

    /** The destination answered, even if it rejected the event. */
    void answered(String how) {
        if (healthy) {
            return;
        }
        boolean closed;
        synchronized (this) {
            healthy = true;
            closed = health.answered() && !retired; // The gate that replaced this one reports for itself.
        }
        if (closed) {
            listener.on(new RelayEvent.BreakerChanged(name, State.CLOSED, how));
        }
    }

    /** Whether an event was delivered after this reading of the monotonic clock. */
    boolean hasDeliveredSince(long nanos) {
        return deliveredNanos - nanos >= 0;
    }

    /** The destination answered that an event failed. Other events are not affected. */
    void eventFailed(String error) {
        answered("it answered, although an event failed");
        synchronized (this) {
            healthy = false; // Until the next success, which clears this error.
            health.eventFailed(error);
        }
    }

    /** A call was not answered, although other events were delivered meanwhile. */
    void unanswered(String error, boolean probe) {
        failed(error, () -> health.unanswered(error, probe));
    }

    /** The destination could not be reached or could not work. */
    void unavailable(String error, @Nullable Duration after, boolean probe) {
        failed(error, () -> health.unavailable(error, after, probe));
    }

    private void failed(String error, BooleanSupplier record) {
        boolean opened;
        synchronized (this) {
            healthy = false;
            opened = record.getAsBoolean() && !retired;
        }
        if (opened) {
            listener.on(new RelayEvent.BreakerChanged(name, State.OPEN, error));
        }
    }

    // ---- the connection ------------------------------------------------------------------------------------------

    /** Whether the destination is down and its connection is to be checked now; the caller then calls {@link #check}. */
    public boolean takeCheck() {
        addresses.forgetUnused();
        synchronized (this) {
            return !retired && checkable.isPresent() && health.takeCheck();
        }
    }

    /**
     * Connects to the destination, if it can be checked, and remembers whether that worked. After an outage a connection
     * that works lets an event probe at once; when no event waits, the outage is over. A check that fails after an event
     * was delivered changes nothing. Takes as long as the timeout, and throws nothing.
     */
    public void check(Duration timeout) {
        if (checkable.isEmpty()) {
            return;
        }
        String error = null;
        try {
            checkable.get().check(timeout);
        } catch (Throwable e) { // Also an Error, such as a missing class: no other check begins before this one ends.
            error = ErrorText.of(e);
        }
        List<Runnable> wakers = List.of();
        boolean outdated;
        synchronized (this) {
            if (health.checked(error == null, waiting.isEmpty() && capacity.eventsInFlight() == 0)) {
                wakers = takeWakers();
            }
            outdated = health.isUp();
        }
        if (error != null && !outdated) {
            unavailable(error, null, true);
        }
        wakers.forEach(Runnable::run);
    }

    /** What is known about the destination. */
    public synchronized DestinationStatus status() {
        return health.status(
                paused,
                capacity.eventsInFlight(),
                waiting.isEmpty() && checkable.isPresent(),
                addresses.status(time.nanoTime(), time.instant()));
    }

    /** Whether events wait because the destination is unavailable. */
    public synchronized boolean isDown() {
        return health.isDown();
    }

    // ---- pause and retire ----------------------------------------------------------------------------------------

    public synchronized void pause() {
        paused = true;
    }

    public synchronized boolean isPaused() {
        return paused;
    }

    public void resume() {
        wakeAfter(() -> paused = false);
    }

    /**
     * Closes the gate for good: another one has replaced it, and loops that wait here are woken to find that.
     *
     * @param whenIdle run once, as soon as nothing is in flight any more
     */
    public void retire(Runnable whenIdle) {
        wakeAfter(() -> {
            retired = true;
            retirement = whenIdle;
        });
        retireIfIdle();
    }

    private void retireIfIdle() {
        if (!retired) {
            return;
        }
        Runnable due = null;
        synchronized (this) {
            if (retirement != null && capacity.eventsInFlight() == 0) {
                due = retirement;
                retirement = null;
            }
        }
        if (due != null) {
            due.run();
        }
    }
}
