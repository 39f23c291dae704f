package catbox.chaos;

import java.util.Set;

/** A disturbance of the run, with microseconds of the machine's clock. */
sealed interface Disturbance {

    long from();

    long to();

    /** A relay process, the partitions that it owned, and their total number. */
    record Victim(String node, Set<Integer> owned, int partitions) {

        public Victim {
            owned = Set.copyOf(owned);
        }
    }

    record Killed(long at, Victim victim) implements Disturbance {
        @Override
        public long from() {
            return at;
        }

        @Override
        public long to() {
            return at;
        }
    }

    record Frozen(long from, long to, Victim victim) implements Disturbance {}

    /** From before the database was killed until it answered again. */
    record Outage(long from, long to) implements Disturbance {}

    /** An orderly change, which must not cause duplicates. */
    record Planned(long from, long to, String what) implements Disturbance {}
}
