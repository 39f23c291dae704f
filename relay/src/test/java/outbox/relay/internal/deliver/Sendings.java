package outbox.relay.internal.deliver;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.OutboxEvent;
import outbox.relay.Rows;
import outbox.relay.internal.model.Deliverable;
import outbox.relay.internal.model.DeliveryResult;
import outbox.spi.relay.FetchedEvent;

/** Events in flight, known by their place in the order. */
final class Sendings {

    private Sendings() {}

    /** A row in flight. */
    record Sent(FetchedEvent row) implements Deliverable {
        @Override
        public OutboxEvent event() {
            return row.event();
        }

        @Override
        public int laneId() {
            return row.keyHash();
        }

        @Override
        public long bytes() {
            return row.bytes();
        }

        @Override
        public @Nullable Template address() {
            return null;
        }
    }

    static Sent of(long seq, String key) {
        return of(Rows.row(seq, key));
    }

    static Sent of(FetchedEvent row) {
        return new Sent(row);
    }

    static long seqOf(DeliveryResult result) {
        return ((Sent) result.delivered()).row().seq();
    }

    /** Reserves a permit for them, as a loop does before it starts them. */
    static DestinationGate.Permit reserve(DestinationGate gate, List<Sent> events) {
        DestinationGate.Permit room = gate.reserve(() -> {});
        int keys = (int) events.stream().map(Sent::laneId).distinct().count();
        long bytes = events.stream().mapToLong(Sent::bytes).sum();
        gate.release(room, keys, events.size(), bytes);
        return room;
    }
}
