package outbox.mongodb;

import com.mongodb.client.model.Filters;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.conversions.Bson;
import outbox.model.RelayTerms;

/**
 * A coarse hash of the key that is stored with each event, because MongoDB cannot index {@code keyHash % partitions},
 * and producers do not know how many partitions there are.
 *
 * <p>With 120 buckets a slot is a whole number of them for every number of partitions that divides 120 (1, 2, 3, 4, 5, 6,
 * 8, 10, 12, 15, 20, 24, 30, 40, 60, 120): it is read as so many ranges of one index, merged by seq, and no entry of
 * another slot is touched. For other numbers a slot shares its buckets with others, whose entries are passed within the
 * index: right, and slower the less the number has in common with 120.
 */
final class Buckets {

    static final int COUNT = 120;

    private Buckets() {}

    static int of(int keyHash) {
        return keyHash % COUNT;
    }

    /** The pending events that belong to a slot. */
    static Bson ofSlot(RelayTerms terms, int slot) {
        int partitions = terms.partitions();
        int common = greatestCommonDivisor(partitions, COUNT);
        List<Integer> buckets = IntStream.iterate(slot % common, bucket -> bucket < COUNT, bucket -> bucket + common)
                .boxed()
                .toList();
        Bson inBuckets = Filters.in(Field.BUCKET, buckets);
        return common == partitions ? inBuckets : Filters.and(inBuckets, Filters.mod(Field.KEY_HASH, partitions, slot));
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
