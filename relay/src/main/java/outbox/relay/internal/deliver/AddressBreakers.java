package outbox.relay.internal.deliver;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.relay.DestinationConfig;
import outbox.relay.DestinationStatus;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.relay.observe.RelayListener;
import outbox.spi.TimeSource;

/**
 * The addresses of a destination that are unavailable while the destination itself works: a topic that does not exist, a
 * queue without permission. Each has a breaker of its own, so one event at a time probes it and uses none of the
 * destination's probes. Everything is guarded by this; nothing foreign is called under the lock.
 */
public final class AddressBreakers {

    /** Further addresses are not remembered: each of their events is attempted, and waits for a while when it fails. */
    private static final int ADDRESSES_MAX = 1_000;
    /** An address for which no event has waited for this long is forgotten. */
    private static final long UNUSED_NANOS = Duration.ofMinutes(1).toNanos();

    private final String destination;
    private final DestinationConfig config;
    private final TimeSource time;
    private final RelayListener listener;
    private final BooleanSupplier isRetired;
    private final Map<String, Unavailable> unavailable = new LinkedHashMap<>();

    /** Whether some address is unavailable: only then is the address of each event computed. Written under the lock. */
    private volatile boolean any;

    private static final class Unavailable {
        final CircuitBreaker breaker;
        final Instant since;
        String error = "";
        long awaitedNanos;

        Unavailable(DestinationConfig config, Instant since) {
            this.breaker = new CircuitBreaker(config);
            this.since = since;
        }
    }

    /**
     * Whether an event may go to an address.
     *
     * @param probes whether it is the one event that probes the address
     * @param refusal why it may not be delivered; null when it may
     */
    record Admission(boolean probes, @Nullable String refusal) {
        static final Admission FREE = new Admission(false, null);
    }

    /** @param isRetired whether another gate has replaced this one: then changes of its addresses are not published */
    AddressBreakers(
            String destination,
            DestinationConfig config,
            TimeSource time,
            RelayListener listener,
            BooleanSupplier isRetired) {
        this.destination = destination;
        this.config = config;
        this.time = time;
        this.listener = listener;
        this.isRetired = isRetired;
    }

    /** Whether some address is unavailable. */
    boolean isAnyUnavailable() {
        return any;
    }

    synchronized Admission admit(String address) {
        long now = time.nanoTime();
        Unavailable known = unavailable.get(address);
        if (known == null) {
            return Admission.FREE;
        }
        if (known.breaker.allows(now)) {
            known.breaker.probeStarted(now);
            return new Admission(true, null);
        }
        return new Admission(false, known.error);
    }

    /**
     * How long until an event may probe an address; empty when it is available. Loops whose lanes wait for the address ask
     * again and again, and so keep it from being forgotten.
     */
    public synchronized Optional<Duration> untilProbe(String address) {
        Unavailable known = unavailable.get(address);
        if (known == null) {
            return Optional.empty();
        }
        long now = time.nanoTime();
        known.awaitedNanos = now;
        return Optional.of(Duration.ofNanos(Math.max(0, known.breaker.untilProbeNanos(now))));
    }

    /** Records that an address is unavailable; false when there are too many to remember it. */
    boolean failed(String address, String error, @Nullable Duration after) {
        boolean isNew;
        synchronized (this) {
            long now = time.nanoTime();
            Unavailable known = unavailable.get(address);
            isNew = known == null;
            if (known == null) {
                if (unavailable.size() >= ADDRESSES_MAX) {
                    return false;
                }
                known = new Unavailable(config, time.instant());
                unavailable.put(address, known);
            }
            known.error = error;
            known.awaitedNanos = now;
            known.breaker.unavailable(now, after, true);
            any = true;
        }
        if (isNew) {
            publish(address, false, error);
        }
        return true;
    }

    /** Records that an address answers. */
    void answered(String address) {
        boolean recovered;
        synchronized (this) {
            recovered = unavailable.remove(address) != null;
            any = !unavailable.isEmpty();
        }
        if (recovered) {
            publish(address, true, "an event was delivered");
        }
    }

    /** Forgets addresses that no event waits for. */
    void forgetUnused() {
        List<String> unused = new ArrayList<>();
        synchronized (this) {
            long now = time.nanoTime();
            unavailable.forEach((address, known) -> {
                if (now - known.awaitedNanos > UNUSED_NANOS) {
                    unused.add(address);
                }
            });
            unused.forEach(unavailable::remove);
            any = !unavailable.isEmpty();
        }
        unused.forEach(address -> listener.on(
                new RelayEvent.AddressChanged(destination, address, true, "no event waits for it any more")));
    }

    private void publish(String address, boolean available, String reason) {
        if (!isRetired.getAsBoolean()) {
            listener.on(new RelayEvent.AddressChanged(destination, address, available, reason));
        }
    }

    /** The probe of the address found out nothing. */
    synchronized void probeAbandoned(String address) {
        Unavailable known = unavailable.get(address);
        if (known != null) {
            known.breaker.probeAbandoned();
        }
    }

    synchronized List<DestinationStatus.Address> status(long nowNanos, Instant now) {
        List<DestinationStatus.Address> all = new ArrayList<>();
        unavailable.forEach((address, known) -> all.add(new DestinationStatus.Address(
                address,
                known.since,
                known.error,
                now.plusNanos(Math.max(0, known.breaker.untilProbeNanos(nowNanos))),
                known.breaker.state() == State.HALF_OPEN)));
        return all;
    }
}
