package catbox.chaos;

/** One line of the {@link Journal}: what a relay did, in the order in which it took effect. */
sealed interface Entry {

    /** Microseconds of the machine's clock, taken just before the line was written. */
    long at();

    /** The relay process. */
    String node();

    /**
     * An event arrived.
     *
     * @param acknowledged false when the destination kept it and then claimed to have failed
     */
    record Arrived(long at, String node, Sent sent, boolean acknowledged) implements Entry {

        String eventId() {
            return sent.eventId();
        }

        String key() {
            return sent.event().key();
        }
    }

    /** What was handed to the destination, and when. */
    record Sent(long at, String eventId, Numbered event) {}

    /** The destination refused an event, which did not arrive. */
    record Refused(long at, String node, String eventId) implements Entry {}

    record Joined(long at, String node, String session) implements Entry {}

    record Acquired(long at, String node, int slot, long epoch) implements Entry {}

    /** A slot was given back; abandoned counts what was then still under way. */
    record Released(long at, String node, int slot, int abandoned) implements Entry {}

    record Lost(long at, String node, int slot, int abandoned) implements Entry {}

    record Renumbered(long at, String node, int partitions) implements Entry {}

    record Fenced(long at, String node, int slot, int events) implements Entry {}
}
