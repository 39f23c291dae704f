package outbox.relay.internal.order;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** The lanes that fetches of the partition leave out, and those of them that are to be fetched separately. */
final class SkippedLanes {

    private final Set<Integer> ids = new HashSet<>();
    private final ArrayDeque<Lane> toFetch = new ArrayDeque<>();

    /** The set that callers were given; replaced when the lanes have changed. */
    private Set<Integer> copy = Set.of();

    private boolean changed;
    private long removals;

    void add(Lane lane) {
        lane.skipped = true;
        changed |= ids.add(lane.id);
    }

    void remove(Lane lane) {
        lane.skipped = false;
        if (ids.remove(lane.id)) {
            changed = true;
            removals++;
        }
    }

    /** How many lanes have been removed so far. */
    long removals() {
        return removals;
    }

    int size() {
        return ids.size();
    }

    Set<Integer> ids() {
        if (changed) {
            copy = Collections.unmodifiableSet(new LinkedHashSet<>(ids));
            changed = false;
        }
        return copy;
    }

    void addFetch(Lane lane) {
        toFetch.addLast(lane);
    }

    boolean hasLanesToFetch() {
        return !toFetch.isEmpty();
    }

    /** Takes up to this many lanes that still need to be fetched. */
    Set<Integer> takeLanesToFetch(int max) {
        Set<Integer> taken = new LinkedHashSet<>();
        while (taken.size() < max && !toFetch.isEmpty()) {
            Lane lane = toFetch.removeFirst();
            lane.fetchQueued = false;
            if (lane.needsFetch()) {
                taken.add(lane.id);
            }
        }
        return taken;
    }
}
