package catbox.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.internal.KeyHash;

/** What is wrong with a destination, for all nodes alike: it fails, it is down, or one of its addresses is missing. */
final class Outage {

    private static final String ALL = "";

    final String destination;
    /** It refuses everything, or says nothing. */
    boolean isDown;
    /** How often it fails when it is not down. */
    double failures;
    /** It fails only by saying so, and then has not delivered. */
    final boolean isHonest;

    private final World world;
    /** When it was unavailable last, all of it or one address; the largest number while it is. */
    private final Map<String, Long> unavailableNanos = new LinkedHashMap<>();

    Outage(String destination, double failures, boolean isHonest, World world) {
        this.destination = destination;
        this.failures = failures;
        this.isHonest = isHonest;
        this.world = world;
    }

    /** Where an event of a key goes: each destination has two addresses. */
    static String addressOf(String keyOrId) {
        return KeyHash.of(keyOrId) % 2 == 0 ? "even" : "odd";
    }

    /** It cannot be reached, and says so. */
    void beginUnavailable() {
        world.note(destination, "is unavailable");
        unavailableNanos.put(ALL, Long.MAX_VALUE);
    }

    /** An address of it does not exist any more, and it says so. */
    void beginMissing(String address) {
        world.note(destination, "misses", address);
        unavailableNanos.put(address, Long.MAX_VALUE);
    }

    boolean isUnavailable() {
        return isUnavailable(ALL);
    }

    boolean isUnavailable(String address) {
        return unavailableNanos.getOrDefault(address, Long.MIN_VALUE) == Long.MAX_VALUE;
    }

    /** Whether an event of this address could not be delivered now, or not long ago. */
    boolean concerned(String address, long sinceNanos) {
        return unavailableNanos.getOrDefault(ALL, Long.MIN_VALUE) >= sinceNanos
                || unavailableNanos.getOrDefault(address, Long.MIN_VALUE) >= sinceNanos;
    }

    /** It is there again; returns whether it, or an address of it, was unavailable. */
    boolean recover() {
        isDown = false;
        boolean was = unavailableNanos.containsValue(Long.MAX_VALUE);
        unavailableNanos.replaceAll((address, until) -> Math.min(until, world.nowNanos()));
        if (was) {
            world.note(destination, "is available again");
        }
        return was;
    }
}
