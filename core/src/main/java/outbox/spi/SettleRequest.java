package outbox.spi;

import java.util.List;
import outbox.spi.relay.PartitionOwnership;

/**
 * What is settled together.
 *
 * @param nodeId the process that writes, as operators know it
 * @param acknowledgements of events that are not done everywhere yet, to be remembered
 * @param relaxed whether a crash of the database may undo a request in which every event is done, where that makes it
 *     faster: those events are delivered again
 */
public record SettleRequest(
        Fence fence,
        String nodeId,
        List<SettleItem> items,
        DoneRows doneRows,
        List<Acknowledgement> acknowledgements,
        boolean relaxed) {

    public SettleRequest {
        items = List.copyOf(items);
        acknowledgements = List.copyOf(acknowledgements);
    }

    public SettleRequest(Fence fence, String nodeId, List<SettleItem> items, DoneRows doneRows) {
        this(fence, nodeId, items, doneRows, List.of(), false);
    }

    /** What must still hold for anything to be written. */
    public sealed interface Fence {

        /** The partition is still the node's, at this epoch; else nothing is written. */
        record Ownership(PartitionOwnership ownership) implements Fence {}

        /** The event's row still has the token of its claim; else that event is left alone. */
        record Tokens() implements Fence {}
    }

    /** What becomes of the row of an event that is done. */
    public enum DoneRows {
        KEEP,
        DELETE
    }
}
