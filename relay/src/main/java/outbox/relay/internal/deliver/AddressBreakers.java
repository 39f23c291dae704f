package outbox.relay.internal.deliver;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.relay.DestinationConfig;
import outbox.relay.DestinationStatus;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;

/**
 * The addresses of a destination that are unavailable while the destination itself works: a topic that does not exist, a
 * queue without permission. Each has a breaker of its own, so one event at a time probes it and uses none of the
 * destination's probes. Not thread-safe: its gate guards it.
 */
final class AddressBreakers {

    /** Further ones are not remembered: each of their events is tried, and waits for a while when it fails. */
    private static final int ADDRESSES_MAX = 1_000;
    /** An address for which no event has waited for this long is of no interest any more. */
    private static final long UNUSED_NANOS = Duration.ofMinutes(1).toNanos();

    private final DestinationConfig config;
    private final Map<String, Unavailable> unavailable = new LinkedHashMap<>();

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
     * @param probes whether it is the one event that goes to find out whether the address is available again
     * @param refusal why it may not go; null when it may
     */
    record Admission(boolean probes, @Nullable String refusal) {
        static final Admission FREE = new Admission(false, null);
    }

    AddressBreakers(DestinationConfig config) {
        this.config = config;
    }

    boolean isEmpty() {
        return unavailable.isEmpty();
    }

    Admission admit(String address, long nowNanos) {
        Unavailable known = unavailable.get(address);
        if (known == null) {
            return Admission.FREE;
        }
        if (known.breaker.allows(nowNanos)) {
            known.breaker.began(nowNanos);
            return new Admission(true, null);
        }
        return new Admission(false, known.error);
    }

    /** Asked by whoever has lanes that wait: how long until an event may probe an address; empty when it is available. */
    Optional<Duration> untilProbe(String address, long nowNanos) {
        Unavailable known = unavailable.get(address);
        if (known == null) {
            return Optional.empty();
        }
        known.awaitedNanos = nowNanos;
        return Optional.of(Duration.ofNanos(Math.max(0, known.breaker.openForNanos(nowNanos))));
    }

    /** What became of the news that an address is unavailable. */
    enum Recorded {
        NEW,
        KNOWN,
        TOO_MANY
    }

    /** Records that an address is unavailable. */
    Recorded failed(String address, String error, @Nullable Duration after, long nowNanos, Instant now) {
        Unavailable known = unavailable.get(address);
        Recorded recorded = known == null ? Recorded.NEW : Recorded.KNOWN;
        if (known == null) {
            if (unavailable.size() >= ADDRESSES_MAX) {
                return Recorded.TOO_MANY;
            }
            known = new Unavailable(config, now);
            unavailable.put(address, known);
        }
        known.error = error;
        known.awaitedNanos = nowNanos;
        known.breaker.unavailable(nowNanos, after, true);
        return recorded;
    }

    /** Forgets addresses that no event waits for, and returns them. */
    List<String> forgetUnused(long nowNanos) {
        List<String> unused = new ArrayList<>();
        unavailable.forEach((address, known) -> {
            if (nowNanos - known.awaitedNanos > UNUSED_NANOS) {
                unused.add(address);
            }
        });
        unused.forEach(unavailable::remove);
        return unused;
    }

    /** The event that was to probe the address did not find out. */
    void gaveUpProbe(String address) {
        Unavailable known = unavailable.get(address);
        if (known != null) {
            known.breaker.gaveUpTrying();
        }
    }

    /** Records that an address answers; true when it was unavailable before. */
    boolean answered(String address) {
        return unavailable.remove(address) != null;
    }

    List<DestinationStatus.Address> status(long nowNanos, Instant now) {
        List<DestinationStatus.Address> all = new ArrayList<>();
        unavailable.forEach((address, known) -> all.add(new DestinationStatus.Address(
                address,
                known.since,
                known.error,
                now.plusNanos(Math.max(0, known.breaker.openForNanos(nowNanos))),
                known.breaker.state() == State.HALF_OPEN)));
        return all;
    }
}
