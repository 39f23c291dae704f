package outbox.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.OutboxStatistics.Settled;
import outbox.spi.operations.OutboxStatistics.TypeLatency;

/** Computes the figures of a sample of done events, for every store. */
public final class SettledSample {

    private final Map<String, Latencies> byType = new TreeMap<>();
    private int sampled;
    private long retries;
    private int retriesMax;

    /** Adds an event. Without its type or a time, as another program may have left it, it has no latency. */
    public void add(@Nullable String type, int attempts, @Nullable Instant createdAt, @Nullable Instant doneAt) {
        sampled++;
        retries += attempts;
        retriesMax = Math.max(retriesMax, attempts);
        if (type != null && createdAt != null && doneAt != null) {
            byType.computeIfAbsent(type, first -> new Latencies()).add(Duration.between(createdAt, doneAt));
        }
    }

    public Settled figures() {
        List<TypeLatency> latencies = byType.entrySet().stream()
                .map(entry -> entry.getValue().of(entry.getKey()))
                .toList();
        return new Settled(sampled, sampled == 0 ? 0 : (double) retries / sampled, retriesMax, latencies);
    }

    /** Sums up the latencies of one type. */
    private static final class Latencies {
        private int count;
        private Duration sum = Duration.ZERO;
        private Duration max = Duration.ZERO;

        void add(Duration latency) {
            count++;
            sum = sum.plus(latency);
            max = latency.compareTo(max) > 0 ? latency : max;
        }

        TypeLatency of(String type) {
            return new TypeLatency(type, count, sum.dividedBy(count), max);
        }
    }
}
