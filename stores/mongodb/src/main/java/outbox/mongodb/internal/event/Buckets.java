package outbox.mongodb.internal.event;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import outbox.spi.relay.ClusterLayout;

/**
 * A coarse hash of the key, stored with each event, because MongoDB cannot index {@code keyHash % partitions}, and
 * producers do not know the number of partitions.
 *
 * <p>With 120 buckets a partition consists of whole buckets for every number of partitions that divides 120 (1, 2, 3,
 * 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 120). It is then read as one range of the index for each bucket, merged
 * by seq, without touching entries of another partition. For other numbers a partition shares its buckets with others,
 * and their entries are skipped within the index. That is correct, but slower the smaller the number's greatest common
 * divisor with 120 is.
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

    /** The buckets that contain a partition's events. */
    public static List<Integer> ofPartition(ClusterLayout layout, int partition) {
        int common = greatestCommonDivisor(layout.partitions(), COUNT);
        return IntStream.iterate(partition % common, bucket -> bucket < COUNT, bucket -> bucket + common)
                .boxed()
                .toList();
    }

    /** Whether buckets also contain events of other partitions. */
    public static boolean areShared(ClusterLayout layout) {
        return COUNT % layout.partitions() != 0;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
