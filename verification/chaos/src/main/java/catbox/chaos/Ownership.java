package catbox.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.internal.KeyHash;

/**
 * Finds deliveries that a relay began when another relay already owned the partition. A relay checks its ownership
 * right before each call, and may be frozen between the check and the call. One late call for each change of owner is
 * therefore unavoidable, and a second one is a fault.
 */
final class Ownership {

    static final int PARTITIONS_AT_FIRST = 6;

    /** During a repartitioning the key does not determine the partition. */
    private static final long REPARTITIONING = Clock.micros(Duration.ofSeconds(1));

    private final History history;

    private Ownership(History history) {
        this.history = history;
    }

    /** Returns a sentence for each fault. */
    static List<String> violations(History history) {
        return new Ownership(history).find();
    }

    private record Late(String node, Entry.Acquired newOwner) {}

    private List<String> find() {
        List<String> sentences = new ArrayList<>();
        Map<Late, Set<Long>> calls = new HashMap<>();
        Map<Integer, Entry.Acquired> owners = new HashMap<>();
        int partitions = PARTITIONS_AT_FIRST;
        for (Entry entry : history.entries()) {
            if (entry instanceof Entry.Repartitioned renumbered) {
                partitions = renumbered.partitions();
                owners.clear();
            } else if (entry instanceof Entry.Acquired acquired) {
                owners.put(acquired.partition(), acquired);
            } else if (entry instanceof Entry.Arrived arrived) {
                Entry.Acquired owner = owners.get(KeyHash.of(arrived.key()) % partitions);
                if (owner != null && isLate(arrived, owner)) {
                    Set<Long> late = calls.computeIfAbsent(new Late(arrived.node(), owner), key -> new HashSet<>());
                    if (late.add(arrived.sent().at()) && late.size() > 1) {
                        sentences.add(arrived.node() + " sent " + arrived.eventId() + " at "
                                + arrived.sent().at() + ", but partition " + owner.partition() + " was " + owner.node()
                                + "'s from " + owner.at() + " on");
                    }
                }
            }
        }
        return sentences;
    }

    private boolean isLate(Entry.Arrived arrived, Entry.Acquired owner) {
        long sentAt = arrived.sent().at();
        return !owner.node().equals(arrived.node())
                && sentAt > owner.at()
                && history.entriesOf(Entry.Repartitioned.class).stream()
                        .noneMatch(renumbered -> Math.abs(renumbered.at() - sentAt) < REPARTITIONING);
    }
}
