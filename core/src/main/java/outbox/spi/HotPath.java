package outbox.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;

/** What happens in memory to events whose transaction has committed. */
public interface HotPath {

    /** Called before events are stored; the answer accompanies them until they are committed. */
    Handover prepare();

    /** One publish on its way to the hot path. Dropped when the transaction rolls back. */
    interface Handover {

        /** The claim to store the events with; null when they are not handed over in memory. */
        @Nullable
        ClaimTerms claim();

        /** Takes the committed events. Never throws and never waits: what it cannot take, the poller will find. */
        void committed(List<EventEnvelope> events);
    }
}
