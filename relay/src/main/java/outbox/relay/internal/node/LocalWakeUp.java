package outbox.relay.internal.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;

/** The hot path where commits are told of in this process alone; other nodes find out by polling. */
public record LocalWakeUp(RelayNode node) implements HotPath, HotPath.Handover {

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
        events.forEach(event -> node.wakeLane(event.laneHash()));
    }
}
