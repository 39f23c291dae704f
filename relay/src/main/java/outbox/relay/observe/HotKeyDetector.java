package outbox.relay.observe;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Finds the key that a slot is busy with, in a fixed small memory: of so many counters, a key that had more than a
 * share of the events surely has one. Only the slot's turn touches it.
 */
public final class HotKeyDetector {

    private static final int WINDOW = 10_000;
    /** Looks at one event of so many, which is enough to find a quarter; a prime, so as not to fall into step with keys. */
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

    // A newcomer that finds no counter takes one from everybody, itself included. What a key lost that way is at most
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
