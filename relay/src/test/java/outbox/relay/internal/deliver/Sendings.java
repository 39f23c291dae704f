package outbox.relay.internal.deliver;

import java.util.List;
import outbox.relay.Rows;
import outbox.spi.relay.FetchedEvent;

/** Events on their way, known by their place in the order. */
final class Sendings {

    private Sendings() {}

    static Sending<Long> of(long seq, String key) {
        return of(Rows.row(seq, key));
    }

    static Sending<Long> of(FetchedEvent row) {
        return new Sending<>(row.seq(), row.event(), row.keyHash(), row.bytes(), null);
    }

    /** Reserves room for them, as a slot does before it starts them. */
    static DestinationGate.Room reserve(DestinationGate gate, List<Sending<Long>> sendings) {
        DestinationGate.Room room = gate.reserve(() -> {});
        int keys = (int) sendings.stream().map(Sending::lane).distinct().count();
        long bytes = sendings.stream().mapToLong(Sending::bytes).sum();
        gate.giveBack(room, keys, sendings.size(), bytes);
        return room;
    }
}
