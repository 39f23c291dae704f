package outbox.spi;

/**
 * The limits of a destination.
 *
 * @param eventsPerKeyMax the most events of one key in a call. More than one only if a call is atomic, or its events
 *     arrive in order or not at all: otherwise a refused event would arrive behind its successors.
 * @param keysPerCallMax the most keys in a call
 * @param keysInFlightMax the most keys in flight
 * @param eventsInFlightMax the most events in flight
 * @param bytesInFlightMax the most payload bytes in flight; one event is allowed whatever its size
 */
public record DestinationTraits(
        int eventsPerKeyMax, int keysPerCallMax, int keysInFlightMax, int eventsInFlightMax, long bytesInFlightMax) {

    public DestinationTraits {
        if (eventsPerKeyMax < 1
                || keysPerCallMax < 1
                || keysInFlightMax < 1
                || eventsInFlightMax < 1
                || bytesInFlightMax < 1) {
            throw new IllegalArgumentException("every limit of a destination must be at least 1, were "
                    + eventsPerKeyMax + ", " + keysPerCallMax + ", " + keysInFlightMax + ", " + eventsInFlightMax
                    + " and " + bytesInFlightMax);
        }
    }

    /** For request and response: ten keys at a time, each call up to a hundred events of one key. */
    public static DestinationTraits requestResponse() {
        return new DestinationTraits(100, 1, 10, 1_000, 16L << 20);
    }

    /** For streams: bounded by events and bytes in flight alone, one event of a key at a time. */
    public static DestinationTraits streaming() {
        return new DestinationTraits(1, 1_000, Integer.MAX_VALUE, 10_000, 64L << 20);
    }

    public DestinationTraits withEventsPerKeyMax(int max) {
        return new DestinationTraits(max, keysPerCallMax, keysInFlightMax, eventsInFlightMax, bytesInFlightMax);
    }

    public DestinationTraits withKeysPerCallMax(int max) {
        return new DestinationTraits(eventsPerKeyMax, max, keysInFlightMax, eventsInFlightMax, bytesInFlightMax);
    }

    public DestinationTraits withKeysInFlightMax(int max) {
        return new DestinationTraits(eventsPerKeyMax, keysPerCallMax, max, eventsInFlightMax, bytesInFlightMax);
    }

    public DestinationTraits withEventsInFlightMax(int max) {
        return new DestinationTraits(eventsPerKeyMax, keysPerCallMax, keysInFlightMax, max, bytesInFlightMax);
    }

    public DestinationTraits withBytesInFlightMax(long max) {
        return new DestinationTraits(eventsPerKeyMax, keysPerCallMax, keysInFlightMax, eventsInFlightMax, max);
    }
}
