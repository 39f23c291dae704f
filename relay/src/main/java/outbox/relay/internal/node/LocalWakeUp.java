package outbox.relay.internal.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;

/** The hot path where commits wake only the relay of this process; other nodes find the events with their next peek. */
public record LocalWakeUp(WakeUpHandler handler) implements HotPath, HotPath.Handover {

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
        events.forEach(event -> handler.wakeLane(event.laneHash()));
    }
}
