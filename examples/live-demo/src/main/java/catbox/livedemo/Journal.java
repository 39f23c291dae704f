package catbox.livedemo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Records the committed events that the order service has reported, and the events that the consumer has received. Used
 * by any thread.
 */
final class Journal {

    private int committed;
    private int records;
    private final Set<String> seen = new HashSet<>();
    private final Map<String, List<String>> idsByKey = new LinkedHashMap<>();
    private final List<Duration> latencies = new ArrayList<>();

    /** A record as the consumer received it. */
    record Arrival(String eventId, String type, String topic, String key, Duration latency) {}

    synchronized void committed() {
        committed++;
    }

    /** Records an arrival. Returns false when its event has arrived before. */
    synchronized boolean arrived(Arrival arrival) {
        records++;
        boolean isNew = seen.add(arrival.eventId());
        if (isNew) {
            latencies.add(arrival.latency());
            idsByKey.computeIfAbsent(arrival.topic() + "/" + arrival.key(), key -> new ArrayList<>())
                    .add(arrival.eventId());
        }
        return isNew;
    }

    /** Excludes all arrivals so far from the latencies. */
    synchronized void forgetLatencies() {
        latencies.clear();
    }

    synchronized int waiting() {
        return Math.max(0, committed - seen.size());
    }

    synchronized int duplicates() {
        return records - seen.size();
    }

    synchronized Set<String> seen() {
        return Set.copyOf(seen);
    }

    /** Returns the ids of the events of each topic and key, in the order of their first arrival. */
    synchronized Map<String, List<String>> idsByKey() {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        idsByKey.forEach((key, ids) -> copy.put(key, List.copyOf(ids)));
        return copy;
    }

    /** Returns the latency that this part of all events did not exceed; zero when there are none. */
    synchronized Duration latency(double part) {
        List<Duration> sorted = latencies.stream().sorted().toList();
        return sorted.isEmpty() ? Duration.ZERO : sorted.get((int) Math.ceil(sorted.size() * part) - 1);
    }
}
