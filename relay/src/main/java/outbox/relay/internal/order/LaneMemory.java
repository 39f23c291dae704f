package outbox.relay.internal.order;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The events of a slot that are in memory, and how much more fits. */
final class LaneMemory {

    private final LaneLimits limits;
    /** By place, so that a row which is read again is known. */
    private final Map<Place, LaneEvent> known = new HashMap<>();

    private long bytes;
    private long departures;

    LaneMemory(LaneLimits limits) {
        this.limits = limits;
    }

    /** What tells one row from another. Numbers may be given out again, and then a seq is another event's. */
    private record Place(long seq, String eventId) {}

    private static Place placeOf(LaneEvent event) {
        return new Place(event.seq(), event.event().eventId());
    }

    void add(LaneEvent event) {
        known.put(placeOf(event), event);
        bytes += event.bytes();
    }

    void remove(LaneEvent event) {
        known.remove(placeOf(event));
        bytes -= event.bytes();
        departures++;
    }

    /** How many events have been removed so far. */
    long departures() {
        return departures;
    }

    boolean knows(long seq, String eventId) {
        return known.containsKey(new Place(seq, eventId));
    }

    int events() {
        return known.size();
    }

    long bytes() {
        return bytes;
    }

    /** How many more events there is room for. */
    int room() {
        return bytes >= limits.bytesMax() ? 0 : Math.max(0, limits.eventsMax() - known.size());
    }

    long roomBytes() {
        return Math.max(1, limits.bytesMax() - bytes);
    }

    boolean isFull() {
        return known.size() >= limits.eventsMax() || (bytes >= limits.bytesMax() && !known.isEmpty());
    }

    /** How many of the events a scan from here on meets again: not those of lanes that it leaves out. */
    int above(long seq) {
        int count = 0;
        for (LaneEvent event : known.values()) {
            count += meetsAgain(event, seq) ? 1 : 0;
        }
        return count;
    }

    Set<String> idsAbove(long seq) {
        Set<String> ids = new HashSet<>();
        for (LaneEvent event : known.values()) {
            if (meetsAgain(event, seq)) {
                ids.add(event.event().eventId());
            }
        }
        return ids;
    }

    /** Numbers have gone back: the rows of these events may be gone, and their seqs given to others. */
    void outdate() {
        known.values().forEach(LaneEvent::outdate);
    }

    private static boolean meetsAgain(LaneEvent event, long seq) {
        return event.seq() > seq && !event.lane.passed;
    }
}
