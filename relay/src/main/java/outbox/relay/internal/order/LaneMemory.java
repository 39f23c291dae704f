package outbox.relay.internal.order;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The events of a partition that are in memory, and how much more fits. */
public final class LaneMemory {

    private final LaneLimits limits;
    /** By place, so that a row which is read again is recognized. */
    private final Map<Place, LaneEvent> inMemory = new HashMap<>();

    private long bytes;
    private long removals;

    LaneMemory(LaneLimits limits) {
        this.limits = limits;
    }

    /** What identifies a row. A sequence that was reset gives the same seq to several events. */
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
    public long removals() {
        return removals;
    }

    public boolean contains(long seq, String eventId) {
        return inMemory.containsKey(new Place(seq, eventId));
    }

    public int events() {
        return inMemory.size();
    }

    public long bytes() {
        return bytes;
    }

    /** How many events fit into memory. */
    public int capacity() {
        return limits.eventsMax();
    }

    public long capacityBytes() {
        return limits.bytesMax();
    }

    /** How many more events fit. */
    public int capacityLeft() {
        return bytes >= limits.bytesMax() ? 0 : Math.max(0, limits.eventsMax() - inMemory.size());
    }

    public long bytesLeft() {
        return Math.max(1, limits.bytesMax() - bytes);
    }

    boolean isFull() {
        return inMemory.size() >= limits.eventsMax() || (bytes >= limits.bytesMax() && !inMemory.isEmpty());
    }

    /** How many events a fetch from here on reads again: not those of lanes that it leaves out. */
    int above(long seq) {
        int count = 0;
        for (LaneEvent event : inMemory.values()) {
            count += isReadAgain(event, seq) ? 1 : 0;
        }
        return count;
    }

    /** Which events a fetch from here on reads again. */
    public Set<String> idsAbove(long seq) {
        Set<String> ids = new HashSet<>();
        for (LaneEvent event : inMemory.values()) {
            if (isReadAgain(event, seq)) {
                ids.add(event.event().eventId());
            }
        }
        return ids;
    }

    /** The sequence was reset: the rows of these events may be gone, and their seqs given to others. */
    void outdate() {
        inMemory.values().forEach(LaneEvent::outdate);
    }

    private static boolean isReadAgain(LaneEvent event, long seq) {
        return event.seq() > seq && !event.lane.skipped;
    }
}
