package outbox.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;

/** Receives the events of committed transactions in memory. */
public interface HotPath {

    /** Called before events are stored; the result stays with them until they are committed. */
    Handover prepare();

    /** The events of one publish. Dropped when the transaction rolls back. */
    interface Handover {

        /** The claim to store the events with; null when they are not handed over in memory. */
        @Nullable
        ClaimTerms claim();

        /** Takes the committed events. Never throws and never waits: the poller finds what it cannot take. */
        void committed(List<EventEnvelope> events);
    }
}
