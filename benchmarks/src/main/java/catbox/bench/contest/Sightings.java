package catbox.bench.contest;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Records the events of one run that a consumer has received: how many twice, and how many after a later one of their
 * key. A repeated event is a duplicate, but no inversion, because it arrived in its place before.
 */
final class Sightings {

    private final long firstNumber;
    private final int events;
    private final BitSet seen;
    private final Map<String, Long> latestByKey = new HashMap<>();
    private long duplicates;
    private long inversions;

    Sightings(long firstNumber, int events) {
        this.firstNumber = firstNumber;
        this.events = events;
        this.seen = new BitSet(events);
    }

    /**
     * Returns whether the event belongs to this run and is new. Messages of a key must be passed in the order of their
     * partition.
     */
    boolean see(String key, long number) {
        long place = number - firstNumber;
        if (place < 0 || place >= events) {
            return false;
        }
        if (seen.get((int) place)) {
            duplicates++;
            return false;
        }
        seen.set((int) place);
        if (latestByKey.merge(key, number, Math::max) != number) {
            inversions++;
        }
        return true;
    }

    int different() {
        return seen.cardinality();
    }

    /**
     * Returns duplicates, inversions, and the number of settled events that are missing. A relay that was stopped may
     * have sent some more, which is no fault.
     */
    Map<String, Object> findings(long settled) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("duplicates", duplicates);
        values.put("inversions", inversions);
        values.put("missing", Math.max(0, settled - different()));
        return values;
    }
}
