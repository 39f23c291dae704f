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
import outbox.spi.relay.ClusterLayout;

/**
 * Some buckets of a slot, to be read without the lanes that are left out. There are two ways: by seq, from the oldest
 * event on, where lanes that are left out are passed entry by entry; and lane by lane, where a lane is left out in one
 * step, however many events it has.
 */
public record PartitionBuckets(ClusterLayout terms, int slot, List<Integer> buckets, Set<Integer> leftOut) {

    public static PartitionBuckets of(ClusterLayout terms, int slot, Set<Integer> leftOut) {
        return new PartitionBuckets(terms, slot, Buckets.ofSlot(terms, slot), leftOut);
    }

    boolean isEmpty() {
        return buckets.isEmpty();
    }

    /** The buckets in which lanes are left out. */
    PartitionBuckets withLanesLeftOut() {
        Set<Integer> theirs = Buckets.of(leftOut);
        return with(buckets.stream().filter(theirs::contains).toList(), leftOut);
    }

    /** The buckets in which no lane is left out. */
    PartitionBuckets withoutLanesLeftOut() {
        Set<Integer> theirs = Buckets.of(leftOut);
        return with(buckets.stream().filter(bucket -> !theirs.contains(bucket)).toList(), Set.of());
    }

    /** The buckets from the given place in their list on. */
    PartitionBuckets from(int place) {
        return with(buckets.subList(place, buckets.size()), leftOut);
    }

    /** The buckets before the given place in their list. */
    PartitionBuckets upTo(int place) {
        return with(buckets.subList(0, place), leftOut);
    }

    private PartitionBuckets with(List<Integer> some, Set<Integer> lanes) {
        return new PartitionBuckets(terms, slot, some, lanes);
    }

    /** The events in order behind a position, for the index of slots. */
    Bson bySeq(long afterSeq) {
        List<Bson> conditions = conditions();
        conditions.add(Filters.gt(Field.SEQ, Seq.tick(afterSeq)));
        conditions.add(Expression.IN_ORDER);
        return Filters.and(conditions);
    }

    /** The events in order, for the index of lanes: says nothing of seq, so no other index can be taken for it. */
    public Bson byLane() {
        List<Bson> conditions = conditions();
        conditions.add(Expression.IN_ORDER);
        return Filters.and(conditions);
    }

    /** The events of the lanes that are left out, for the index of lanes. */
    Bson ofLanesLeftOut() {
        return Filters.and(Expression.PENDING, Filters.in(Field.BUCKET, buckets), Filters.in(Field.KEY_HASH, leftOut));
    }

    private List<Bson> conditions() {
        List<Bson> conditions = new ArrayList<>(List.of(Expression.PENDING, Filters.in(Field.BUCKET, buckets)));
        if (!leftOut.isEmpty()) {
            conditions.add(Filters.nin(Field.KEY_HASH, leftOut));
        }
        if (Buckets.areShared(terms)) {
            conditions.add(Filters.mod(Field.KEY_HASH, terms.partitions(), slot));
        }
        return conditions;
    }
}
