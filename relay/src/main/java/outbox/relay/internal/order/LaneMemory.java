package outbox.relay.internal.order;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The events of a slot that are in memory, and how much more fits. */
final class LaneMemory {

    private final LaneLimits limits;
    /** By place, so that a row which is read again is known. */
    private final Map<Place, LaneEvent> inMemory = new HashMap<>();

    private long bytes;
    private long removals;

    LaneMemory(LaneLimits limits) {
        this.limits = limits;
    }

    /** What tells one row from another. Numbers may be given out again, and then a seq is another event's. */
    private record Place(long seq, String eventId) {}

    private static Place placeOf(LaneEvent event) {
        return new Place(event.seq(), event.event().eventId());
    }

    void add(LaneEvent event) {
        inMemory.put(placeOf(event), event);
        bytes += event.bytes();
    }

    void remove(LaneEvent event) {
        inMemory.remove(placeOf(event));
        bytes -= event.bytes();
        removals++;
    }

    /** How many events have been removed so far. */
    long removals() {
        return removals;
    }

    boolean contains(long seq, String eventId) {
        return inMemory.containsKey(new Place(seq, eventId));
    }

    int events() {
        return inMemory.size();
    }

    long bytes() {
        return bytes;
    }

    /** How many more events there is room for. */
    int capacityLeft() {
        return bytes >= limits.bytesMax() ? 0 : Math.max(0, limits.eventsMax() - inMemory.size());
    }

    long bytesLeft() {
        return Math.max(1, limits.bytesMax() - bytes);
    }

    boolean isFull() {
        return inMemory.size() >= limits.eventsMax() || (bytes >= limits.bytesMax() && !inMemory.isEmpty());
    }

    /** How many of the events a scan from here on meets again: not those of lanes that it leaves out. */
    int above(long seq) {
        int count = 0;
        for (LaneEvent event : inMemory.values()) {
            count += isReadAgain(event, seq) ? 1 : 0;
        }
        return count;
    }

    Set<String> idsAbove(long seq) {
        Set<String> ids = new HashSet<>();
        for (LaneEvent event : inMemory.values()) {
            if (isReadAgain(event, seq)) {
                ids.add(event.event().eventId());
            }
        }
        return ids;
    }

    /** Numbers have gone back: the rows of these events may be gone, and their seqs given to others. */
    void outdate() {
        inMemory.values().forEach(LaneEvent::outdate);
    }

    private static boolean isReadAgain(LaneEvent event, long seq) {
        return event.seq() > seq && !event.lane.skipped;
    }
}
