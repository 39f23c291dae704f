package catbox.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/** Acknowledges each call after a fixed time, and records the age of its events. */
final class SlowDestination implements Destination {

    private static final Outcome DELIVERED = new Outcome.Delivered();

    private final DestinationTraits traits;
    private final Duration latency;
    private final Queue<Double> agesMillis = new ConcurrentLinkedQueue<>();

    SlowDestination(DestinationTraits traits, Duration latency) {
        this.traits = traits;
        this.latency = latency;
    }

    @Override
    public DestinationTraits traits() {
        return traits;
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        CompletableFuture.delayedExecutor(latency.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> answer(deliveries, receipt));
    }

    private void answer(List<Delivery> deliveries, Receipt receipt) {
        Instant now = Instant.now();
        for (int i = 0; i < deliveries.size(); i++) {
            agesMillis.add(Duration.between(deliveries.get(i).event().occurredAt(), now)
                            .toNanos()
                    / 1e6);
            receipt.report(i, DELIVERED);
        }
    }

    Queue<Double> agesMillis() {
        return agesMillis;
    }

    @Override
    public void close() {}
}
