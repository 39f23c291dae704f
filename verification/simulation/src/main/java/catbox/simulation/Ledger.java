package catbox.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What was written, what arrived, and whether it arrived in order. */
final class Ledger {

    private final World world;
    private final boolean keepsOrder;
    private final Predicate<String> isDead;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, List<Entry>> byKey = new HashMap<>();
    private final Set<String> rejected = new HashSet<>();
    private final Map<String, Long> lastDeliveredNanos = new HashMap<>();
    private long tick;
    private int numbering;
    private int duplicates;
    private boolean leaseLost;

    /** One event's story in ticks of a counter; 0 for never. */
    static final class Entry {
        final String id;
        final @Nullable String key;
        final long inserted;
        /** It joins its key's order when it is due, or when it is replayed: that it comes late is no fault. */
        boolean outOfOrder;

        boolean replayed;
        /** A destination has been given it since it was replayed for the last time. */
        boolean triedAgain;

        long committed;
        long committedNanos;
        /** Another one whenever numbers have gone back. */
        final int numbering;

        /** How many of its attempts may be counted at most. */
        int mayCount;
        /** How often it has arrived at each of its destinations. */
        final Map<String, Integer> deliveries = new LinkedHashMap<>();

        Entry(String id, @Nullable String key, boolean delayed, long inserted, int numbering) {
            this.id = id;
            this.numbering = numbering;
            this.key = key;
            this.outOfOrder = delayed;
            this.inserted = inserted;
        }

        boolean isMissingAt(String destination) {
            return deliveries.getOrDefault(destination, 1) == 0;
        }

        boolean isMissingAnywhere() {
            return deliveries.containsValue(0);
        }

        /** Of several destinations all may have had it before it was replayed. */
        boolean isUntriedSinceItsReplay() {
            return replayed && !triedAgain && deliveries.size() == 1;
        }

        @Override
        public String toString() {
            return id + " of key " + key;
        }
    }

    /** @param isDead whether an event was given up, so that its key may continue without it */
    Ledger(World world, boolean keepsOrder, Predicate<String> isDead) {
        this.world = world;
        this.keepsOrder = keepsOrder;
        this.isDead = isDead;
    }

    void inserted(String id, @Nullable String key, boolean delayed, List<String> destinations) {
        Entry entry = new Entry(id, key, delayed, ++tick, numbering);
        destinations.forEach(destination -> entry.deliveries.put(destination, 0));
        entries.put(id, entry);
    }

    Entry committed(String id) {
        Entry entry = entry(id);
        entry.committed = ++tick;
        entry.committedNanos = world.nowNanos();
        world.note("writer", "commits", entry);
        if (entry.key != null) {
            byKey.computeIfAbsent(entry.key, key -> new ArrayList<>()).add(entry);
        }
        return entry;
    }

    void rolledBack(String id) {
        entries.remove(id);
    }

    /** Numbers begin anew: order is kept among those that were numbered before, and among those after it. */
    void sequenceReset() {
        numbering++;
    }

    /** The table is emptied: what was committed need not arrive any more. */
    void emptied() {
        committedEntries().forEach(entry -> entry.deliveries.clear());
        sequenceReset();
    }

    /** An operator sends a dead event again. */
    void replayed(String id) {
        Entry entry = entry(id);
        world.note("operator", "replays", entry);
        entry.outOfOrder = true;
        if (entry.isUntriedSinceItsReplay()) {
            world.violation("replay undone: " + entry + " is dead again, and no destination was given it");
        }
        entry.replayed = true;
        entry.triedAgain = false;
    }

    /** A destination is given an event. */
    void tried(String id) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.triedAgain = true;
        }
    }

    void delivered(String id, String destination, String node) {
        Entry entry = entries.get(id);
        if (entry == null || entry.committed == 0) {
            world.violation(node + " delivered " + id + ", which was never committed");
            return;
        }
        world.note(node, "delivers to " + destination, entry);
        world.mark(id.hashCode());
        lastDeliveredNanos.put(destination, world.nowNanos());
        if (entry.deliveries.merge(destination, 1, Integer::sum) > 1) {
            duplicates++;
            return;
        }
        if (entry.key != null && !entry.outOfOrder && keepsOrder) {
            checkOrder(node, destination, entry, byKey.getOrDefault(entry.key, List.of()));
        }
    }

    private void checkOrder(String node, String destination, Entry entry, List<Entry> ofItsKey) {
        for (Entry older : ofItsKey) {
            if (older.numbering == entry.numbering
                    && older.committed < entry.inserted
                    && older.isMissingAt(destination)
                    && !older.outOfOrder
                    && !isDead.test(older.id)) {
                world.violation("order: " + node + " delivered " + entry + " before " + older.id
                        + ", which was committed before it was inserted");
            }
        }
    }

    /** Of what is known about an attempt at it, it may be counted. */
    void mayCount(String id) {
        entry(id).mayCount++;
    }

    /** When the last event arrived at a destination. */
    long lastDeliveredNanos(String destination) {
        return lastDeliveredNanos.getOrDefault(destination, Long.MIN_VALUE);
    }

    void rejected(String id) {
        rejected.add(id);
    }

    boolean wasRejected(String id) {
        return rejected.contains(id);
    }

    /** A lease was lost between deliveries and their settlement, which looks like a crash from outside. */
    void leaseLost() {
        leaseLost = true;
    }

    boolean wasLeaseLost() {
        return leaseLost;
    }

    int duplicates() {
        return duplicates;
    }

    List<Entry> committedEntries() {
        return entries.values().stream().filter(entry -> entry.committed > 0).toList();
    }

    int size() {
        return entries.size();
    }

    private Entry entry(String id) {
        Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("no event " + id);
        }
        return entry;
    }
}
