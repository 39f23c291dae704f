package outbox.spi;

import java.util.List;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Verdict;

/**
 * One fenced transaction's worth of settlements.
 *
 * @param nodeId who writes them, for people
 * @param acknowledgements of events that are not done everywhere yet, to be remembered
 */
public record SettleRequest(
        Fence fence, String nodeId, List<Verdict> verdicts, DoneRows doneRows, List<Acknowledgement> acknowledgements) {

    public SettleRequest {
        verdicts = List.copyOf(verdicts);
        acknowledgements = List.copyOf(acknowledgements);
    }

    public SettleRequest(Fence fence, String nodeId, List<Verdict> verdicts, DoneRows doneRows) {
        this(fence, nodeId, verdicts, doneRows, List.of());
    }

    /** What must still hold for anything to be written. */
    public sealed interface Fence {

        /** The slot is still the node's, at this epoch; else nothing is written. */
        record Slot(PartitionOwnership hold) implements Fence {}

        /** The event's row still has the token of its claim; else that event is left alone. */
        record Tokens() implements Fence {}
    }

    /** What becomes of the row of an event that is done. */
    public enum DoneRows {
        KEEP,
        DELETE
    }
}
