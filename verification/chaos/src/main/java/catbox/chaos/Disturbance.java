package catbox.chaos;

import java.util.Set;

/** Something that was done to the run, with microseconds of the machine's clock. */
sealed interface Disturbance {

    long from();

    long to();

    /** A relay process, the slots it owned, and of how many. */
    record Victim(String node, Set<Integer> slots, int partitions) {

        public Victim {
            slots = Set.copyOf(slots);
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

    /** Done in an orderly way, which doubles nothing. */
    record Planned(long from, long to, String what) implements Disturbance {}
}
