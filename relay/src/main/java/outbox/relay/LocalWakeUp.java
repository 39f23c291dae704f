package outbox.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;
import outbox.util.KeyHash;

/** The hot path where commits are told of in this process alone; other nodes find out by polling. */
record LocalWakeUp(RelayNode node) implements HotPath, HotPath.Handover {

    @Override
    public Handover prepare() {
        return this;
    }

    @Override
    public @Nullable ClaimTerms claim() {
        return null;
    }

    @Override
    public void committed(List<EventEnvelope> events) {
        for (EventEnvelope event : events) {
            String key = event.orderingKey();
            node.wakeLane(KeyHash.of(key == null ? event.eventId() : key));
        }
    }
}
