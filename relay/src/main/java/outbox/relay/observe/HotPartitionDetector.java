package outbox.relay.observe;

import java.util.HashMap;
import java.util.Map;

/** Compares how much the partitions of a node have delivered, and reports one that is far above the others. */
public final class HotPartitionDetector {

    private static final long EVENTS_MIN = 10_000;
    private static final double TIMES_ITS_SHARE = 2;

    private final RelayListener listener;
    private final Map<Integer, Long> before = new HashMap<>();

    public HotPartitionDetector(RelayListener listener) {
        this.listener = listener;
    }

    /**
     * Compares what was delivered since the last time.
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
            return; // Too few to decide: let them add up.
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
