package outbox.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;

/**
 * The client's hot path, which leads to whoever delivers while that runs. The client is there before delivery starts and
 * after it has stopped; what is published then is only stored, and found in the table later.
 */
final class DeferredHotPath implements HotPath {

    private static final Handover NOWHERE = new Handover() {
        @Override
        public @Nullable ClaimTerms claim() {
            return null;
        }

        @Override
        public void committed(List<EventEnvelope> events) {
            // Stored, which is all that was asked for.
        }
    };

    /** Written by the thread that starts and stops the application, read by those that publish. */
    private volatile @Nullable HotPath target;

    void leadTo(@Nullable HotPath next) {
        target = next;
    }

    @Override
    public Handover prepare() {
        HotPath now = target;
        return now == null ? NOWHERE : now.prepare();
    }
}
