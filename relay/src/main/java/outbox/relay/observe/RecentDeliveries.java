package outbox.relay.observe;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationWrapper;

/** Remembers where the latest events have arrived, for operators. Costs one small object for each event. */
public final class RecentDeliveries {

    public static final int LATEST_MAX = 10_000;

    private final InstantSource time;
    private final AtomicReferenceArray<@Nullable Arrival> latest = new AtomicReferenceArray<>(LATEST_MAX);
    private final AtomicLong count = new AtomicLong();

    /**
     * An acknowledged delivery.
     *
     * @param where the place that the destination has reported
     */
    public record Arrival(String eventId, String destination, Outcome.Delivered where, Instant at) {}

    public RecentDeliveries(InstantSource time) {
        this.time = time;
    }

    /** Wraps a destination, and remembers its acknowledgements. */
    public Destination remembering(String name, Destination destination) {
        return new Remembering(name, destination);
    }

    /** The last arrival of the event, if it is remembered. */
    public Optional<Arrival> find(String eventId) {
        long end = count.get();
        for (long n = end - 1; n >= Math.max(0, end - LATEST_MAX); n--) {
            Arrival arrival = latest.get((int) (n % LATEST_MAX));
            if (arrival != null && arrival.eventId().equals(eventId)) {
                return Optional.of(arrival);
            }
        }
        return Optional.empty();
    }

    private void remember(String eventId, String destination, Outcome.Delivered where) {
        long n = count.getAndIncrement();
        latest.set((int) (n % LATEST_MAX), new Arrival(eventId, destination, where, time.instant()));
    }

    private final class Remembering implements DestinationWrapper {

        private final String name;
        private final Destination destination;

        Remembering(String name, Destination destination) {
            this.name = name;
            this.destination = destination;
        }

        @Override
        public Destination wrapped() {
            return destination;
        }

        @Override
        public void deliver(List<Delivery> deliveries, Receipt receipt) {
            destination.deliver(deliveries, (index, outcome) -> {
                if (outcome instanceof Outcome.Delivered where) {
                    remember(deliveries.get(index).event().eventId(), name, where);
                }
                receipt.report(index, outcome);
            });
        }
    }
}
