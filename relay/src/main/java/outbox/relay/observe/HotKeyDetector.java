package outbox.relay.observe;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Finds the keys with the most events of a partition, in a small fixed memory: a key with more than its share of the
 * events always has one of the counters. Only the partition's loop uses it.
 */
public final class HotKeyDetector {

    private static final int WINDOW = 10_000;
    /** Counts one of this many events. A prime, so that it does not fall into step with the keys. */
    private static final int SAMPLE = 7;

    private static final int COUNTERS = 64;
    private static final double HOT_SHARE = 0.25;

    private final int partition;
    private final RelayListener listener;
    private final Map<String, Integer> counts = new HashMap<>();
    private int seen;

    public HotKeyDetector(int partition, RelayListener listener) {
        this.partition = partition;
        this.listener = listener;
    }

    public void count(String key) {
        if (++seen % SAMPLE == 0) {
            sample(key);
        }
        if (seen == WINDOW) {
            publish();
            counts.clear();
            seen = 0;
        }
    }

    private void sample(String key) {
        if (counts.containsKey(key) || counts.size() < COUNTERS) {
            counts.merge(key, 1, Integer::sum);
        } else {
            thinOut();
        }
    }

    // A key that finds no counter lowers every counter by one, and gets none itself. A key loses at most the window
    // divided by the number of counters in this step.
    private void thinOut() {
        Iterator<Map.Entry<String, Integer>> entries = counts.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, Integer> entry = entries.next();
            if (entry.getValue() == 1) {
                entries.remove();
            } else {
                entry.setValue(entry.getValue() - 1);
            }
        }
    }

    private void publish() {
        counts.forEach((key, count) -> {
            double share = (double) count * SAMPLE / WINDOW;
            if (share >= HOT_SHARE) {
                listener.on(new RelayEvent.HotKey(partition, key, share, WINDOW));
            }
        });
    }
}
