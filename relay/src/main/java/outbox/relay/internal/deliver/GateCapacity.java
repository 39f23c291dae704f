package outbox.relay.internal.deliver;

import outbox.relay.internal.deliver.DestinationGate.Permit;
import outbox.spi.DestinationTraits;

/** Counts what one destination has in flight, and grants what more it takes. Not thread-safe: its gate guards it. */
final class GateCapacity {

    private static final Permit NONE = new Permit(0, 0, 0, false);

    private final DestinationTraits traits;
    private final RateLimit rate;
    private int keys;
    private int events;
    private long bytes;

    GateCapacity(DestinationTraits traits, RateLimit rate) {
        this.traits = traits;
        this.rate = rate;
    }

    /** Grants what one call may have now; nothing unless it is {@code allowed}. A probe is one event. */
    Permit take(boolean allowed, boolean probe, long nowNanos) {
        int freeKeys = Math.min(traits.keysPerCallMax(), traits.keysInFlightMax() - keys);
        int freeEvents = traits.eventsInFlightMax() - events;
        long freeBytes = traits.bytesInFlightMax() - bytes;
        if (!allowed || freeKeys < 1 || freeEvents < 1 || freeBytes < 1) {
            return NONE;
        }
        int most = probe ? 1 : (int) Math.min(freeEvents, (long) freeKeys * traits.eventsPerKeyMax());
        int grantedEvents = rate.take(most, nowNanos);
        if (grantedEvents == 0) {
            return NONE;
        }
        // Not all that is free: another partition may ask while this one fills its call.
        long grantedBytes = Math.min(freeBytes, Math.max(1 << 20, traits.bytesInFlightMax() / 4));
        Permit permit = new Permit(Math.min(freeKeys, grantedEvents), grantedEvents, grantedBytes, probe);
        keys += permit.keys();
        events += permit.events();
        bytes += permit.bytes();
        return permit;
    }

    void release(Permit permit, int usedKeys, int usedEvents, long usedBytes) {
        keys -= permit.keys() - usedKeys;
        events -= permit.events() - usedEvents;
        bytes -= permit.bytes() - usedBytes;
        rate.release(permit.events() - usedEvents);
    }

    void eventAnswered(long eventBytes, boolean lastOfItsKey) {
        events--;
        bytes -= eventBytes;
        keys -= lastOfItsKey ? 1 : 0;
    }

    int eventsInFlight() {
        return events;
    }

    /** How long until the rate allows another event. */
    long untilRateAllowsNanos() {
        return rate.nextInNanos();
    }
}
