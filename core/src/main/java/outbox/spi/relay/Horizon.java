package outbox.spi.relay;

/**
 * How far a snapshot of a partition is complete. An event gets its place in the order at its INSERT, and is visible
 * after its commit.
 */
public sealed interface Horizon {

    Horizon UNKNOWN = new Unknown();
    Horizon SEQUENCE_RESET = new SequenceReset();

    /** No event with a seq up to this can appear later. */
    record UpTo(long seq) implements Horizon {}

    /** The store does not know. */
    record Unknown() implements Horizon {}

    /**
     * The reader's seqs belong to another numbering, or are assigned again. The reader may take only the numbering of
     * this page: its events may be younger than events that were inserted below the reader's seq.
     */
    record SequenceReset() implements Horizon {}
}
