package outbox.relay.internal.deliver;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * The way into one destination, shared by all slots of a node: how much may be under way, how fast, and whether at all.
 *
 * <p>A slot reserves room, fills as much of it as it can, and gives back the rest. One that got none is woken when
 * there is some. Everything is guarded by this; nothing foreign is called under the lock.
 */
public final class DestinationGate {

    private final String name;
    private final Destination destination;
    private final Optional<Checkable> checkable;
    private final DestinationTraits traits;
    private final DestinationConfig config;
    private final TimeSource time;
    private final RelayListener listener;

    private final CircuitBreaker breaker;
    private final AddressBreakers addresses;
    private final ConnectionChecks checks = new ConnectionChecks();
    private final RateLimit rate;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private int keys;
    private int events;
    private long bytes;
    private boolean paused;
    private @Nullable String lastError; // since the last success
    private @Nullable Instant downSince; // null while it is available
    private boolean contacted;
    /** What to do once nothing is under way any more; null while this is the way to go, and after it was done. */
    private @Nullable Runnable retirement;

    private volatile boolean retired; // written under the lock

    /** Whether nothing has failed since the last success: another success changes nothing. Written under the lock. */
    private volatile boolean healthy;
    /** When an event was delivered last. Written by any thread that reports a delivery. */
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
        this.breaker = new CircuitBreaker(config);
        this.addresses = new AddressBreakers(name, config, time, listener, () -> retired);
        this.deliveredNanos = time.nanoTime() - 1;
        this.rate = new RateLimit(config.eventsPerSecondMax(), time.nanoTime());
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

    Duration deadline() {
        return config.deadline();
    }

    /** How long a key waits whose address is unavailable and cannot be remembered. */
    Duration pauseOfAddress() {
        return config.breakerRestMax();
    }

    /** How long a key waits whose event found the destination unavailable while others arrived. */
    Duration pauseAfterFailure() {
        return config.breakerRest();
    }

    /**
     * Room that was reserved for one call.
     *
     * @param probe whether this is the one event that a half-open circuit breaker lets through to try
     */
    public record Permit(int keys, int events, long bytes, boolean probe) {

        private static final Permit NONE = new Permit(0, 0, 0, false);

        public boolean isNone() {
            return keys == 0;
        }
    }

    /** Reserves room for one call; when there is none, the waker is run once there may be. */
    public Permit reserve(Runnable waker) {
        boolean halfOpened;
        boolean replaced;
        Permit permit;
        synchronized (this) {
            replaced = retired;
            boolean wasOpen = breaker.state() == State.OPEN;
            permit = permitNow();
            halfOpened = wasOpen && breaker.state() == State.HALF_OPEN;
            if (permit.isNone() && !retired) {
                waiting.add(waker);
            } else {
                keys += permit.keys();
                events += permit.events();
                bytes += permit.bytes();
            }
        }
        if (replaced) {
            waker.run();
        }
        if (halfOpened) {
            listener.on(
                    new RelayEvent.BreakerChanged(name, State.HALF_OPEN, "its rest is over, one event goes to try"));
        }
        return permit;
    }

    private Permit permitNow() {
        long now = time.nanoTime();
        if (retired || paused || !breaker.allows(now)) {
            return Permit.NONE;
        }
        boolean probe = breaker.state() == State.HALF_OPEN;
        int freeKeys = Math.min(traits.keysPerCallMax(), traits.keysInFlightMax() - keys);
        int freeEvents = traits.eventsInFlightMax() - events;
        long freeBytes = traits.bytesInFlightMax() - bytes;
        if (freeKeys < 1 || freeEvents < 1 || freeBytes < 1) {
            return Permit.NONE;
        }
        int most = probe ? 1 : (int) Math.min(freeEvents, (long) freeKeys * traits.eventsPerKeyMax());
        int allowed = rate.take(most, now);
        if (allowed == 0) {
            return Permit.NONE;
        }
        if (probe) {
            breaker.probeStarted(now);
        }
        // Not all that is free: another slot may come while this one fills its call.
        long byteLimit = Math.min(freeBytes, Math.max(1 << 20, traits.bytesInFlightMax() / 4));
        return new Permit(Math.min(freeKeys, allowed), allowed, byteLimit, probe);
    }

    /** Gives back what a call did not need of its room. One that is larger than the room took the whole of it. */
    public void release(Permit permit, int usedKeys, int usedEvents, long usedBytes) {
        List<Runnable> wakers;
        synchronized (this) {
            keys -= permit.keys() - usedKeys;
            events -= permit.events() - usedEvents;
            bytes -= permit.bytes() - usedBytes;
            rate.release(permit.events() - usedEvents);
            if (permit.probe() && usedEvents == 0) {
                breaker.probeAbandoned();
            }
            wakers = usedEvents < permit.events() ? takeWakers() : List.of();
        }
        wakers.forEach(Runnable::run);
        retireIfIdle();
    }

    /** One event's room is free again. */
    void eventAnswered(long eventBytes, boolean lastOfItsKey) {
        List<Runnable> wakers;
        synchronized (this) {
            events--;
            bytes -= eventBytes;
            keys -= lastOfItsKey ? 1 : 0;
            wakers = takeWakers();
        }
        wakers.forEach(Runnable::run);
        retireIfIdle();
    }

    /** What the event would have shown that went to try, nobody will know. */
    void probeAbandoned() {
        List<Runnable> wakers;
        synchronized (this) {
            breaker.probeAbandoned();
            wakers = takeWakers();
        }
        wakers.forEach(Runnable::run);
    }

    /** The destination confirmed an event at this reading of the monotonic clock. */
    void delivered(long nowNanos) {
        deliveredNanos = nowNanos;
        answered("an event was delivered");
    }

    /** The destination answered, even if it refused the event for good. */
    void answered(String how) {
        if (healthy) {
            return;
        }
        boolean closed;
        synchronized (this) {
            healthy = true;
            contacted = true;
            lastError = null;
            downSince = null;
            closed = !retired && breaker.state() != State.CLOSED; // Of the name's new gate it knows nothing.
            breaker.succeeded();
        }
        if (closed) {
            listener.on(new RelayEvent.BreakerChanged(name, State.CLOSED, how));
        }
    }

    /** Whether an event was delivered after this reading of the monotonic clock. */
    boolean hasDeliveredSince(long nanos) {
        return deliveredNanos - nanos >= 0;
    }

    /** The destination answered that an event failed. That is the event's own, and harms no other. */
    void eventFailed(String error) {
        answered("it answered, although an event failed");
        synchronized (this) {
            healthy = false; // Until the next success, which makes this error an old one.
            lastError = error;
        }
    }

    /** A call was not answered, although other events were delivered meanwhile. */
    void unanswered(String error, boolean probe) {
        failed(error, null, () -> breaker.unanswered(time.nanoTime(), probe));
    }

    /** The destination could not be reached or could not work. */
    void unavailable(String error, @Nullable Duration after, boolean probe) {
        failed(error, after, () -> breaker.unavailable(time.nanoTime(), after, probe));
    }

    private void failed(String error, @Nullable Duration after, Runnable record) {
        boolean opened;
        synchronized (this) {
            State before = breaker.state();
            healthy = false;
            lastError = error;
            record.run();
            contacted |= breaker.state() == State.CLOSED;
            opened = before != State.OPEN && breaker.state() == State.OPEN;
            if (opened && downSince == null) {
                downSince = time.instant();
                checks.begin(time.nanoTime(), after == null);
            }
            opened &= !retired;
        }
        if (opened) {
            listener.on(new RelayEvent.BreakerChanged(name, State.OPEN, error));
        }
    }

    // ---- the connection --------------------------------------------------------------------------------------------

    /** Whether the destination is down and its connection is to be checked now; the caller then calls {@link #check}. */
    public boolean takeCheck() {
        addresses.forgetUnused();
        return beginCheck();
    }

    private synchronized boolean beginCheck() {
        boolean due = downSince != null && !retired && checkable.isPresent() && checks.isDue(time.nanoTime());
        if (due) {
            checks.started();
        }
        return due;
    }

    /**
     * Connects to the destination, if it can be checked, and remembers whether that worked. After an outage a connection
     * that works again lets an event try at once; when no event waits, the outage is over. A check that fails after an event
     * was delivered changes nothing. Takes as long as the timeout, and throws nothing.
     */
    public void check(Duration timeout) {
        if (checkable.isEmpty()) {
            return;
        }
        String error = null;
        try {
            checkable.get().check(timeout);
        } catch (Throwable e) { // Also an Error, such as a missing class: without its end no other check would follow.
            error = ErrorText.of(e);
        }
        List<Runnable> wakers = List.of();
        boolean outdated;
        synchronized (this) {
            boolean isBack = checks.ended(error == null, time.nanoTime());
            contacted |= error == null;
            if (isBack && downSince != null) {
                breaker.retryNow();
                wakers = takeWakers();
            } else if (error == null && waiting.isEmpty() && events == 0) {
                downSince = null;
                lastError = null;
            }
            outdated = contacted && downSince == null;
        }
        if (error != null && !outdated) {
            unavailable(error, null, true);
        }
        wakers.forEach(Runnable::run);
    }

    /** What is known about the destination. */
    public synchronized DestinationStatus status() {
        long nowNanos = time.nanoTime();
        Instant now = time.instant();
        DestinationStatus.State state = downSince != null
                ? DestinationStatus.State.DOWN
                : contacted ? DestinationStatus.State.UP : DestinationStatus.State.UNKNOWN;
        Instant nextProbe = downSince == null ? null : now.plusNanos(Math.max(0, untilProbeNanos(nowNanos)));
        return new DestinationStatus(
                state,
                breaker.state(),
                paused,
                events,
                downSince,
                lastError,
                nextProbe,
                addresses.status(nowNanos, now));
    }

    // While no event waits, only the connection is checked.
    private long untilProbeNanos(long nowNanos) {
        long untilEvent = breaker.untilProbeNanos(nowNanos);
        boolean onlyChecked = untilEvent <= 0 && waiting.isEmpty() && checkable.isPresent();
        return onlyChecked ? checks.untilNextNanos(nowNanos) : untilEvent;
    }

    /** Whether events wait because the destination is unavailable. */
    public synchronized boolean isDown() {
        return downSince != null;
    }

    /** How long it makes sense to wait before asking for room again; null when a waker will tell. */
    public synchronized @Nullable Duration nextTry() {
        long now = time.nanoTime();
        if (paused) {
            return null;
        }
        long nanos = Math.max(breaker.untilProbeNanos(now), rate.nextInNanos());
        return nanos > 0 ? Duration.ofNanos(nanos) : null;
    }

    public void pause() {
        synchronized (this) {
            paused = true;
        }
    }

    public synchronized boolean isPaused() {
        return paused;
    }

    public void resume() {
        List<Runnable> wakers;
        synchronized (this) {
            paused = false;
            wakers = takeWakers();
        }
        wakers.forEach(Runnable::run);
    }

    /**
     * Lets nothing more through, for good: another gate has taken its place, and whoever waits here is woken to find
     * it.
     *
     * @param whenIdle run once, as soon as nothing is under way any more
     */
    public void retire(Runnable whenIdle) {
        List<Runnable> wakers;
        synchronized (this) {
            retired = true;
            retirement = whenIdle;
            wakers = takeWakers();
        }
        wakers.forEach(Runnable::run);
        retireIfIdle();
    }

    private void retireIfIdle() {
        if (!retired) {
            return;
        }
        Runnable due = null;
        synchronized (this) {
            if (retirement != null && events == 0) {
                due = retirement;
                retirement = null;
            }
        }
        if (due != null) {
            due.run();
        }
    }

    public synchronized State breakerState() {
        return breaker.state();
    }

    /** The last failure since something was delivered; null for none. */
    public synchronized @Nullable String lastError() {
        return lastError;
    }

    public synchronized int eventsInFlight() {
        return events;
    }

    private List<Runnable> takeWakers() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Runnable> wakers = List.copyOf(waiting);
        waiting.clear();
        return wakers;
    }
}
