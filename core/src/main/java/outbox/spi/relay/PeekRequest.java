package outbox.spi.relay;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks which partitions of a node have new events.
 *
 * @param dueSince reports delayed events that came due after this; null in the first request
 */
public record PeekRequest(
        ClusterLayout terms,
        List<Position> positions,
        @Nullable Instant dueSince) {

    public PeekRequest {
        positions = List.copyOf(positions);
    }

    /** The reader's position in a partition: a pending event behind it, in another lane, is new. */
    public record Position(
            int partition, long afterSeq, @Nullable Numbering numbering, Set<Integer> lanesLeftOut) {

        /** A position of a reader that has taken no page yet. */
        public Position(int partition, long afterSeq, Set<Integer> lanesLeftOut) {
            this(partition, afterSeq, null, lanesLeftOut);
        }
    }
}
