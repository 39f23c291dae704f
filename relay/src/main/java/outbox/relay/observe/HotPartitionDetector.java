package outbox.relay.observe;

import java.util.HashMap;
import java.util.Map;

/** Compares how many events the partitions of a node have delivered, and reports one that is far above the others. */
public final class HotPartitionDetector {

    private static final long EVENTS_MIN = 10_000;
    private static final double TIMES_ITS_SHARE = 2;

    private final RelayListener listener;
    private final Map<Integer, Long> before = new HashMap<>();

    public HotPartitionDetector(RelayListener listener) {
        this.listener = listener;
    }

    /**
     * Compares the events that were delivered since the last comparison.
     *
     * @param delivered how many events each partition has delivered since it was acquired
     */
    public void compare(Map<Integer, Long> delivered) {
        Map<Integer, Long> grown = new HashMap<>();
        delivered.forEach((partition, count) -> {
            long last = before.getOrDefault(partition, 0L);
            grown.put(partition, count >= last ? count - last : count);
        });
        long all = grown.values().stream().mapToLong(Long::longValue).sum();
        if (all < EVENTS_MIN) {
            return; // Too few to compare: wait for more.
        }
        before.clear();
        before.putAll(delivered);
        double fair = 1.0 / delivered.size();
        grown.forEach((partition, count) -> {
            double share = (double) count / all;
            if (delivered.size() > 1 && share >= Math.min(0.9, fair * TIMES_ITS_SHARE)) {
                listener.on(new RelayEvent.HotPartition(partition, share, all));
            }
        });
    }
}
