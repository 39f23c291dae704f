package outbox.spi.relay;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One look at all slots of a node.
 *
 * @param dueSince delayed events that came due after this are asked for; null on the first look
 */
public record PeekRequest(
        ClusterLayout terms,
        List<Position> positions,
        @Nullable Instant dueSince) {

    public PeekRequest {
        positions = List.copyOf(positions);
    }

    /** From where, and without which lanes, a pending event in a slot would be news. */
    public record Position(
            int partition, long afterSeq, @Nullable Numbering numbering, Set<Integer> lanesLeftOut) {

        /** A position of a reader that has taken no page yet. */
        public Position(int partition, long afterSeq, Set<Integer> lanesLeftOut) {
            this(partition, afterSeq, null, lanesLeftOut);
        }
    }
}
