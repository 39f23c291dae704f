package outbox.relay.internal.order;

/**
 * How much of a partition is kept in memory.
 *
 * @param eventsMax events in memory: waiting, in flight, or waiting to be settled
 * @param bytesMax their size, with payloads, headers and overhead
 * @param eventsPerLaneMax events of one lane that wait in memory; more are fetched when these are gone
 * @param lanesSkippedMax lanes that are remembered although their events are in the table: parked, paused, or too long
 * @param lanesOverflowMax further lanes, of which only the fact that they wait is remembered. Nothing new is fetched
 *     while there are this many
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

    /** Limits under which no lane overflows. */
    public LaneLimits(int eventsMax, long bytesMax, int eventsPerLaneMax, int lanesSkippedMax) {
        this(eventsMax, bytesMax, eventsPerLaneMax, lanesSkippedMax, 0);
    }

    private static void require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", was " + value);
        }
    }
}
