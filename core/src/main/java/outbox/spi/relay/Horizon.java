package outbox.spi.relay;

/**
 * How far a snapshot of a partition is complete: a transaction takes its place in the order when it inserts, and is seen
 * when it commits.
 */
public sealed interface Horizon {

    Horizon UNKNOWN = new Unknown();
    Horizon SEQUENCE_RESET = new SequenceReset();

    /** Every event with a seq up to this that will ever be visible was visible to the snapshot. */
    record UpTo(long seq) implements Horizon {}

    /** The store cannot tell. */
    record Unknown() implements Horizon {}

    /**
     * The reader's seqs are of another numbering, or are given out again. Nothing of the page may be taken but the
     * numbering: what it shows may be younger than what was inserted below the reader's seq.
     */
    record SequenceReset() implements Horizon {}
}
