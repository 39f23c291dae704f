package outbox.mongodb.internal.event;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import outbox.spi.relay.ClusterLayout;

/**
 * A coarse hash of the key that is stored with each event, because MongoDB cannot index {@code keyHash % partitions},
 * and producers do not know how many partitions there are.
 *
 * <p>With 120 buckets a slot is a whole number of them for every number of partitions that divides 120 (1, 2, 3, 4, 5, 6,
 * 8, 10, 12, 15, 20, 24, 30, 40, 60, 120): it is read as so many ranges of one index, merged by seq, and no entry of
 * another slot is touched. For other numbers a slot shares its buckets with others, whose entries are passed within the
 * index: right, and slower the less the number has in common with 120.
 */
public final class Buckets {

    public static final int COUNT = 120;

    public static final List<Integer> ALL = IntStream.range(0, COUNT).boxed().toList();

    private Buckets() {}

    public static int of(int keyHash) {
        return keyHash % COUNT;
    }

    public static Set<Integer> of(Collection<Integer> keyHashes) {
        return keyHashes.stream().map(Buckets::of).collect(Collectors.toSet());
    }

    /** The buckets that a slot's events lie in. */
    public static List<Integer> ofSlot(ClusterLayout terms, int slot) {
        int common = greatestCommonDivisor(terms.partitions(), COUNT);
        return IntStream.iterate(slot % common, bucket -> bucket < COUNT, bucket -> bucket + common)
                .boxed()
                .toList();
    }

    /** Whether events of other slots lie in them as well. */
    public static boolean areShared(ClusterLayout terms) {
        return COUNT % terms.partitions() != 0;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
