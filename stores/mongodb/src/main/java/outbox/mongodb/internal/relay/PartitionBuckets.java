package outbox.mongodb.internal.relay;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.conversions.Bson;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Seq;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.relay.ClusterLayout;

/**
 * Some buckets of a partition, to be read without the excluded lanes. They can be read by seq from the oldest event on,
 * which skips excluded lanes entry by entry, or lane by lane, which skips an excluded lane in one step, however many
 * events it has.
 */
public record PartitionBuckets(ClusterLayout layout, int partition, List<Integer> buckets, Set<Integer> excluded) {

    public static PartitionBuckets of(ClusterLayout layout, int partition, Set<Integer> excluded) {
        return new PartitionBuckets(layout, partition, Buckets.ofPartition(layout, partition), excluded);
    }

    boolean isEmpty() {
        return buckets.isEmpty();
    }

    /** The buckets with excluded lanes. */
    PartitionBuckets withExcludedLanes() {
        Set<Integer> theirs = Buckets.of(excluded);
        return with(buckets.stream().filter(theirs::contains).toList(), excluded);
    }

    /** The buckets without excluded lanes. */
    PartitionBuckets withoutExcludedLanes() {
        Set<Integer> theirs = Buckets.of(excluded);
        return with(buckets.stream().filter(bucket -> !theirs.contains(bucket)).toList(), Set.of());
    }

    /** The buckets from this index of the list on. */
    PartitionBuckets from(int index) {
        return with(buckets.subList(index, buckets.size()), excluded);
    }

    /** The buckets before this index of the list. */
    PartitionBuckets upTo(int index) {
        return with(buckets.subList(0, index), excluded);
    }

    private PartitionBuckets with(List<Integer> some, Set<Integer> lanes) {
        return new PartitionBuckets(layout, partition, some, lanes);
    }

    /** The events in order after a position, for the index {@link EventIndex#SLOT}. */
    Bson bySeq(long afterSeq) {
        List<Bson> conditions = conditions();
        conditions.add(Filters.gt(Field.SEQ, Seq.tick(afterSeq)));
        conditions.add(Expression.IN_ORDER);
        return Filters.and(conditions);
    }

    /** The events in order, for the index of lanes. Without a condition on seq, no other index fits. */
    public Bson byLane() {
        List<Bson> conditions = conditions();
        conditions.add(Expression.IN_ORDER);
        return Filters.and(conditions);
    }

    /** The events of the excluded lanes, for the index of lanes. */
    Bson ofExcludedLanes() {
        return Filters.and(Expression.PENDING, Filters.in(Field.BUCKET, buckets), Filters.in(Field.KEY_HASH, excluded));
    }

    private List<Bson> conditions() {
        List<Bson> conditions = new ArrayList<>(List.of(Expression.PENDING, Filters.in(Field.BUCKET, buckets)));
        if (!excluded.isEmpty()) {
            conditions.add(Filters.nin(Field.KEY_HASH, excluded));
        }
        if (Buckets.areShared(layout)) {
            conditions.add(Filters.mod(Field.KEY_HASH, layout.partitions(), partition));
        }
        return conditions;
    }
}
