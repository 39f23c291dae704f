package outbox.micrometer;

import java.time.Duration;

/** Bucket bounds for durations: few enough for each destination, and mostly between 1 ms and 1 s. */
final class LatencyBuckets {

    static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofHours(1)
    };

    private LatencyBuckets() {}
}
