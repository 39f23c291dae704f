package outbox.relay.internal.deliver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.Delivery;
import outbox.model.OutboxEvent;
import outbox.model.Outcome;
import outbox.relay.ResendResult;
import outbox.relay.internal.model.Deliverable;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.spi.TimeSource;

/**
 * Sends stored events once more, next to the partitions and through the same gate. A call begins when the previous one has
 * been answered, so that events of a key stay in order.
 */
public final class Resender {

    private final DestinationGate gate;
    private final Router router;
    private final TimeSource time;
    private final Semaphore wakeUps = new Semaphore(0);

    /** An event that is sent again, and its position in the request. */
    private record Resent(
            int number, OutboxEvent event, @Nullable Template address) implements Deliverable {

        @Override
        public int laneId() {
            return event.laneHash();
        }

        @Override
        public long bytes() {
            return event.payloadSize();
        }
    }

    public Resender(DestinationGate gate, Router router, TimeSource time) {
        this.gate = gate;
        this.router = router;
        this.time = time;
    }

    public ResendResult send(List<OutboxEvent> events, Duration atMost) throws InterruptedException {
        long untilNanos = time.nanoTime() + atMost.toNanos();
        // Before a permit is reserved, which a failing router would keep.
        List<Optional<Template>> addresses =
                events.stream().map(this::addressOf).toList();
        int sent = 0;
        while (sent < events.size()) {
            DestinationGate.Permit permit = gate.reserve(wakeUps::release);
            if (!permit.isNone()) {
                List<Resent> call = nextCall(events, addresses, sent, permit);
                SortedMap<Integer, String> failures = deliver(call, permit.probe(), untilNanos);
                if (!failures.isEmpty()) {
                    return new ResendResult(failures.firstKey(), failures.get(failures.firstKey()));
                }
                sent += call.size();
            } else if (!awaitWakeUp(untilNanos)) {
                return new ResendResult(sent, whyNoPermit());
            }
        }
        return new ResendResult(sent, null);
    }

    /** The longest run of events that fits. Events of a key are adjacent, as in every call. */
    private List<Resent> nextCall(
            List<OutboxEvent> events, List<Optional<Template>> addresses, int from, DestinationGate.Permit permit) {
        Map<Integer, List<Resent>> lanes = new HashMap<>();
        List<List<Resent>> inOrder = new ArrayList<>();
        long bytes = 0;
        int count = 0;
        while (from + count < events.size() && count < permit.events()) {
            OutboxEvent event = events.get(from + count);
            int lane = event.laneHash();
            List<Resent> own = lanes.getOrDefault(lane, new ArrayList<>());
            boolean fits = own.size() < gate.traits().eventsPerKeyMax()
                    && (!own.isEmpty() || lanes.size() < permit.keys())
                    && (count == 0 || bytes + event.payloadSize() <= permit.bytes());
            if (!fits) {
                break;
            }
            if (own.isEmpty()) {
                lanes.put(lane, own);
                inOrder.add(own);
            }
            bytes += event.payloadSize();
            own.add(new Resent(from + count, event, addresses.get(from + count).orElse(null)));
            count++;
        }
        gate.release(permit, lanes.size(), count, bytes);
        return inOrder.stream().flatMap(List::stream).toList();
    }

    /** The address that the event's own route to this destination names; empty for the address of the destination. */
    private Optional<Template> addressOf(OutboxEvent event) {
        for (Route route : router.route(event)) {
            if (route.destination().equals(gate.name())) {
                return Optional.ofNullable(route.address());
            }
        }
        return Optional.empty();
    }

    /** Makes one call; returns the numbers of the events that were not acknowledged, and why. */
    private SortedMap<Integer, String> deliver(List<Resent> call, boolean probe, long untilNanos)
            throws InterruptedException {
        SortedMap<Integer, String> failures = new TreeMap<>();
        call.forEach(event -> failures.put(event.number(), "it was not acknowledged in time"));
        Deliverer deliverer = new Deliverer(Delivery.NO_PARTITION, time, answer -> false, wakeUps::release);
        deliverer.start(gate, call, probe);
        int open = call.size();
        boolean inTime = true;
        try {
            while (open > 0 && inTime) {
                for (DeliveryResult each : deliverer.takeResults()) {
                    failures.compute(((Resent) each.delivered()).number(), (number, late) -> failure(each.outcome()));
                    open--;
                }
                inTime = open == 0 || awaitWakeUp(untilNanos);
            }
        } finally {
            deliverer.abandon(); // Also when interrupted: nothing else releases what the call holds.
        }
        return failures;
    }

    private static @Nullable String failure(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Delivered delivered -> null;
            case Outcome.Retryable retryable -> retryable.error();
            case Outcome.Rejected rejected -> rejected.reason();
            case Outcome.Unavailable unavailable -> unavailable.error();
        };
    }

    /** Waits until something has changed. No waker is run for the end of a rest, a rate or a deadline. */
    private boolean awaitWakeUp(long untilNanos) throws InterruptedException {
        long left = untilNanos - time.nanoTime();
        if (left <= 0) {
            return false;
        }
        Duration nextTry = gate.nextTry();
        long nanos = Math.min(left, TimeUnit.MILLISECONDS.toNanos(200));
        boolean woken =
                wakeUps.tryAcquire(nextTry == null ? nanos : Math.min(nanos, nextTry.toNanos()), TimeUnit.NANOSECONDS);
        return woken || untilNanos - time.nanoTime() > 0;
    }

    private String whyNoPermit() {
        if (gate.isPaused()) {
            return "destination " + gate.name() + " is paused";
        }
        String error = gate.status().lastError();
        return "destination " + gate.name() + " accepted no event in time"
                + (error == null ? "" : ", its last error: " + error);
    }
}
