package outbox.relay.internal.order;

/**
 * How much of a slot is kept in memory.
 *
 * @param eventsMax events in memory: waiting, under way, or waiting to be settled
 * @param bytesMax the same in bytes, payloads and headers and what surrounds them
 * @param eventsPerLaneMax events of one lane that wait in memory; more are read when these are gone
 * @param lanesSkippedMax lanes that are remembered because their events were passed: parked, on hold, or too long
 * @param lanesOverflowMax further ones, of which it is only known that they wait. Nothing new is read while there are so
 *     many.
 */
public record LaneLimits(
        int eventsMax, long bytesMax, int eventsPerLaneMax, int lanesSkippedMax, int lanesOverflowMax) {

    public LaneLimits {
        require("eventsMax", eventsMax, 1, 1_000_000);
        require("bytesMax", bytesMax, 1_024, 1L << 40);
        require("eventsPerLaneMax", eventsPerLaneMax, 1, 100_000);
        require("lanesSkippedMax", lanesSkippedMax, 1, 1_000_000);
        require("lanesOverflowMax", lanesOverflowMax, 0, 1_000_000);
    }

    /** Limits under which no lane is skipped. */
    public LaneLimits(int eventsMax, long bytesMax, int eventsPerLaneMax, int lanesSkippedMax) {
        this(eventsMax, bytesMax, eventsPerLaneMax, lanesSkippedMax, 0);
    }

    private static void require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", was " + value);
        }
    }
}
