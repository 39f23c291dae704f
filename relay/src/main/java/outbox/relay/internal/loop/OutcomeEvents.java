package outbox.relay.internal.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import outbox.model.Settlement;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.observe.HotKeyDetector;
import outbox.relay.observe.RelayEvent;

/** Publishes what came of deliveries. */
final class OutcomeEvents {

    /** Another program may have written any creation time, and listeners that count nanoseconds would overflow. */
    private static final Duration LATENCY_MAX = Duration.ofDays(36_500);

    private final LoopContext context;
    private final HotKeyDetector hotKeys;
    private final AtomicLong delivered = new AtomicLong(); // counted by the loop, read by any thread

    OutcomeEvents(LoopContext context) {
        this.context = context;
        this.hotKeys = new HotKeyDetector(context.partition(), context.relay().listener());
    }

    long delivered() {
        return delivered.get();
    }

    void publish(Settlement settlement, LaneEvent event, DeliveryResult result) {
        String destination = result.destination();
        String id = event.event().eventId();
        int attempt = event.event().attempts() + 1;
        switch (settlement) {
            case Settlement.Done done -> publishDone(event, result);
            case Settlement.Retry retry ->
                context.publish(new RelayEvent.AttemptFailed(id, destination, attempt, retry.error(), retry.delay()));
            case Settlement.Postponed postponed ->
                context.publish(new RelayEvent.Postponed(id, destination, postponed.error(), postponed.delay()));
            case Settlement.Dead dead -> context.publish(new RelayEvent.Died(id, destination, attempt, dead.error()));
        }
    }

    private void publishDone(LaneEvent event, DeliveryResult result) {
        String id = event.event().eventId();
        String dropReason = event.route().dropReason();
        if (dropReason != null) {
            context.publish(new RelayEvent.Dropped(id, event.route().name(), dropReason));
            return;
        }
        Instant arrived = context.relay().time().instant().minusNanos(context.now() - result.atNanos());
        Duration latency = Duration.between(event.event().createdAt(), arrived);
        latency = latency.isNegative() ? Duration.ZERO : latency.compareTo(LATENCY_MAX) > 0 ? LATENCY_MAX : latency;
        context.publish(new RelayEvent.Delivered(context.partition(), result.destination(), latency));
        delivered.incrementAndGet();
        hotKeys.count(Objects.requireNonNullElse(event.event().orderingKey(), id));
    }
}
