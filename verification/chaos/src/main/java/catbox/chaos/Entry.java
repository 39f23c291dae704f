package catbox.chaos;

/** One line of the {@link Journal}: an action of a relay, in the order of effect. */
sealed interface Entry {

    /** Microseconds of the machine's clock, taken just before the line was written. */
    long at();

    /** The name of the relay process. */
    String node();

    /**
     * An event arrived.
     *
     * @param acknowledged false when the destination kept it and then reported a failure
     */
    record Arrived(long at, String node, Sent sent, boolean acknowledged) implements Entry {

        String eventId() {
            return sent.eventId();
        }

        String key() {
            return sent.event().key();
        }
    }

    /** An event that the destination received, with the time. */
    record Sent(long at, String eventId, Numbered event) {}

    /** The destination refused an event, which did not arrive. */
    record Refused(long at, String node, String eventId) implements Entry {}

    record Joined(long at, String node, String session) implements Entry {}

    record Acquired(long at, String node, int partition, long epoch) implements Entry {}

    /** A partition was released; {@code abandoned} counts the deliveries that were still in flight. */
    record Released(long at, String node, int partition, int abandoned) implements Entry {}

    record Lost(long at, String node, int partition, int abandoned) implements Entry {}

    record Repartitioned(long at, String node, int partitions) implements Entry {}

    record Fenced(long at, String node, int partition, int events) implements Entry {}
}
