package outbox.relay.internal.order;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** The lanes whose rows a scan leaves out, and those of them that are to be looked up by themselves. */
final class SkippedLanes {

    private final Set<Integer> ids = new HashSet<>();
    private final ArrayDeque<Lane> lookUps = new ArrayDeque<>();

    /** What others were given of them; made anew when they have changed. */
    private Set<Integer> copy = Set.of();

    private boolean changed;
    private long departures;

    void add(Lane lane) {
        lane.passed = true;
        changed |= ids.add(lane.id);
    }

    void remove(Lane lane) {
        lane.passed = false;
        if (ids.remove(lane.id)) {
            changed = true;
            departures++;
        }
    }

    /** How many lanes have been removed so far. */
    long departures() {
        return departures;
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

    void lookUp(Lane lane) {
        lookUps.addLast(lane);
    }

    boolean hasLookUps() {
        return !lookUps.isEmpty();
    }

    /** Takes lanes that still need to be looked up, at most so many. */
    Set<Integer> takeLookUps(int max) {
        Set<Integer> taken = new LinkedHashSet<>();
        while (taken.size() < max && !lookUps.isEmpty()) {
            Lane lane = lookUps.removeFirst();
            lane.lookUpQueued = false;
            if (lane.needsLookUp()) {
                taken.add(lane.id);
            }
        }
        return taken;
    }
}
