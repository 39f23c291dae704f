package catbox.livedemo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was committed, as far as the order service has said so, and what the consumer has seen. Any thread. */
final class Journal {

    private int committed;
    private int records;
    private final Set<String> seen = new HashSet<>();
    private final Map<String, List<String>> idsByKey = new LinkedHashMap<>();
    private final List<Duration> latencies = new ArrayList<>();

    /** A record as the consumer got it. */
    record Arrival(String eventId, String type, String topic, String key, Duration latency) {}

    synchronized void committed() {
        committed++;
    }

    /** Remembers a record; false when its event had come before. */
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

    /** What came so far does not count when latencies are told. */
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

    /** For each topic and key the ids of its events, in the order in which they first came. */
    synchronized Map<String, List<String>> idsByKey() {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        idsByKey.forEach((key, ids) -> copy.put(key, List.copyOf(ids)));
        return copy;
    }

    /** The latency that this part of all events stayed below; zero when there are none. */
    synchronized Duration latency(double part) {
        List<Duration> sorted = latencies.stream().sorted().toList();
        return sorted.isEmpty() ? Duration.ZERO : sorted.get((int) Math.ceil(sorted.size() * part) - 1);
    }
}
