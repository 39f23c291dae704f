package outbox.relay.observe;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Finds the key that a partition is busy with, in a fixed small memory: a key that had more than a certain share of the
 * events surely has one of the counters. Not thread-safe.
 */
public final class HotKeyDetector {

    private static final int WINDOW = 10_000;
    /** One of this many events is counted, which is enough to find a quarter; a prime, so that keys do not fall into step. */
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

    // A new key that finds no free counter lowers all of them, and its own. What a key has lost by that is at most
    // its share of the window divided by the number of counters.
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
