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
 * Sends stored events once more, beside the slots and through the same gate, call by call: a call begins when the one
 * before it has been answered, so that no key overtakes itself.
 */
public final class Resender {

    private final DestinationGate gate;
    private final Router router;
    private final TimeSource time;
    private final Semaphore wakeUps = new Semaphore(0);

    /** An event that is sent again, and its number among them. */
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
        // Before any room is taken, which a router that fails would keep.
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

    /** The longest run of events that fits, with those of a key side by side as destinations are used to. */
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

    /** Where its own way to this destination leads; empty, which is where the destination leads, if it has none. */
    private Optional<Template> addressOf(OutboxEvent event) {
        for (Route route : router.route(event)) {
            if (route.destination().equals(gate.name())) {
                return Optional.ofNullable(route.address());
            }
        }
        return Optional.empty();
    }

    /** One call; returns the numbers of those that were not acknowledged, and why. */
    private SortedMap<Integer, String> deliver(List<Resent> call, boolean probe, long untilNanos)
            throws InterruptedException {
        SortedMap<Integer, String> failures = new TreeMap<>();
        call.forEach(event -> failures.put(event.number(), "it was not acknowledged in time"));
        Deliverer deliverer = new Deliverer(Delivery.NO_SLOT, time, answer -> false, wakeUps::release);
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
            deliverer.abandon(); // Also when interrupted: nobody else gives back what the call has taken.
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

    /** Waits for a waker, or for what none tells of: the end of a rest, a rate, a deadline. */
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
            return "destination " + gate.name() + " is on hold";
        }
        String error = gate.lastError();
        return "destination " + gate.name() + " had no room in time"
                + (error == null ? "" : ", its last error: " + error);
    }
}
