package outbox.spi;

import java.util.List;
import outbox.spi.relay.PartitionOwnership;

/**
 * Settlements that are written together.
 *
 * @param nodeId the process that writes, as operators know it
 * @param acknowledgements of events that some of their destinations have not taken yet
 * @param relaxed whether a crash of the database may undo a request in which every event is done, if that makes it
 *     faster. Those events are then delivered again
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

    /** The condition under which an item is written. */
    public sealed interface Fence {

        /** The node still owns the partition at this epoch; otherwise nothing is written. */
        record Ownership(PartitionOwnership ownership) implements Fence {}

        /** The event's row still has the token of its claim; otherwise this event is not changed. */
        record Tokens() implements Fence {}
    }

    /** Whether to keep the row of a done event. */
    public enum DoneRows {
        KEEP,
        DELETE
    }
}
