package outbox.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;

/**
 * Forwards to the hot path of the running delivery. The client exists before delivery starts and after it has stopped;
 * events that are published then are only stored, and the store's poller finds them later.
 */
final class DeferredHotPath implements HotPath {

    private static final Handover STORED_ONLY = new Handover() {
        @Override
        public @Nullable ClaimTerms claim() {
            return null;
        }

        @Override
        public void committed(List<EventEnvelope> events) {
            // The event is stored, which is all that publishing promises.
        }
    };

    /** Written by the thread that starts and stops the application, read by publishing threads. */
    private volatile @Nullable HotPath target;

    void forwardTo(@Nullable HotPath next) {
        target = next;
    }

    @Override
    public Handover prepare() {
        HotPath now = target;
        return now == null ? STORED_ONLY : now.prepare();
    }
}
