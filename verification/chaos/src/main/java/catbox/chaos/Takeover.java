package catbox.chaos;

import catbox.chaos.Disturbance.Frozen;
import catbox.chaos.Disturbance.Killed;
import catbox.chaos.Disturbance.Outage;
import catbox.chaos.Disturbance.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import outbox.internal.KeyHash;

/**
 * Measures how long the partitions of a dead or frozen relay had no owner, in microseconds since the disturbance.
 *
 * @param acquired until other relays owned all of them
 * @param delivered until another relay delivered an event of one of them
 * @param duringOutage whether the database was down for a part of it
 */
record Takeover(String what, Victim victim, long acquired, long delivered, boolean duringOutage) {

    static List<Takeover> of(History history) {
        List<Takeover> takeovers = new ArrayList<>();
        for (Disturbance disturbance : history.disturbances()) {
            if (disturbance instanceof Killed killed) {
                add(takeovers, history, "killed", killed.at(), killed.victim());
            } else if (disturbance instanceof Frozen frozen) {
                add(takeovers, history, "frozen", frozen.from(), frozen.victim());
            }
        }
        return takeovers;
    }

    private static void add(List<Takeover> takeovers, History history, String what, long from, Victim victim) {
        OptionalLong acquired = acquired(history, from, victim);
        OptionalLong delivered = delivered(history, from, victim);
        if (acquired.isPresent() && delivered.isPresent()) {
            boolean duringOutage = history.disturbancesOf(Outage.class).stream()
                    .anyMatch(outage -> outage.from() <= acquired.getAsLong() && outage.to() >= from);
            takeovers.add(new Takeover(
                    what, victim, acquired.getAsLong() - from, delivered.getAsLong() - from, duringOutage));
        }
    }

    /** Returns when other relays owned all partitions of the victim; empty when it owned none, or they never did. */
    private static OptionalLong acquired(History history, long from, Victim victim) {
        long latest = 0;
        for (int partition : victim.owned()) {
            OptionalLong first = history.entriesOf(Entry.Acquired.class).stream()
                    .filter(entry -> entry.partition() == partition && isLaterAndElsewhere(entry, from, victim))
                    .mapToLong(Entry::at)
                    .min();
            if (first.isEmpty()) {
                return first;
            }
            latest = Math.max(latest, first.getAsLong());
        }
        return victim.owned().isEmpty() ? OptionalLong.empty() : OptionalLong.of(latest);
    }

    private static OptionalLong delivered(History history, long from, Victim victim) {
        return history.arrivals().stream()
                .filter(entry -> isLaterAndElsewhere(entry, from, victim))
                .filter(entry -> victim.owned().contains(KeyHash.of(entry.key()) % victim.partitions()))
                .mapToLong(Entry::at)
                .min();
    }

    private static boolean isLaterAndElsewhere(Entry entry, long from, Victim victim) {
        return entry.at() >= from && !entry.node().equals(victim.node());
    }
}
