package outbox.micrometer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import outbox.spi.operations.OutboxStatistics.TypeLatency;

/** Holds latencies by event type: the most frequent types by name, all others together. */
record Latencies(List<OfType> types) {

    record OfType(String type, int sampled, Duration average, Duration max) {

        private OfType and(OfType that) {
            int all = sampled + that.sampled;
            Duration sum = average.multipliedBy(sampled).plus(that.average.multipliedBy(that.sampled));
            return new OfType(type, all, sum.dividedBy(Math.max(1, all)), max.compareTo(that.max) > 0 ? max : that.max);
        }
    }

    static Latencies of(List<TypeLatency> measured) {
        List<OfType> types = new ArrayList<>();
        List<TypeLatency> frequentFirst = measured.stream()
                .sorted(Comparator.comparingInt(TypeLatency::sampled).reversed())
                .toList();
        for (TypeLatency each : frequentFirst) {
            boolean named = types.size() < BoundedNames.EVENT_TYPES_MAX;
            String type = named ? each.eventType() : BoundedNames.OTHER;
            OfType one = new OfType(type, each.sampled(), each.average(), each.max());
            if (types.size() > BoundedNames.EVENT_TYPES_MAX) {
                types.add(types.removeLast().and(one));
            } else {
                types.add(one);
            }
        }
        return new Latencies(types);
    }

    static double seconds(Duration duration) {
        return duration.toSeconds() + duration.toNanosPart() / 1e9; // A count of nanoseconds overflows after 292 years.
    }

    List<String> names() {
        return types.stream().map(OfType::type).toList();
    }

    Optional<OfType> of(String type) {
        return types.stream().filter(each -> each.type().equals(type)).findFirst();
    }
}
